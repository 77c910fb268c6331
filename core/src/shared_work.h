// Operators on several threads, if there are any and the work is large enough; the same bits as on one thread.
#pragma once

#include "attend_paths.h"
#include "attention/ops.h"
#include "attention/workers.h"

namespace attention {

// attend() on workers, with checked arguments.
Error attend_by_workers(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                        const AttendOptions& options, Heads<float> context, const AttendStages& stages,
                        Workers& workers);

#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)  // other modules have one thread

void apply(const Linear& linear, const float* x, std::size_t rows, float* y, Workers* workers);
void apply(Gelu gelu, const float* in, std::size_t count, float* out, Workers* workers);

// As attend_checked().
Error attend_shared(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                    const AttendOptions& options, Heads<float> context, Buffer& scratch, const AttendStages& stages,
                    Workers* workers);

#else

inline void apply(const Linear& linear, const float* x, std::size_t rows, float* y, Workers*) {
  apply(linear, x, rows, y);
}
inline void apply(Gelu gelu, const float* in, std::size_t count, float* out, Workers*) { apply(gelu, in, count, out); }
inline Error attend_shared(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                           const AttendOptions& options, Heads<float> context, Buffer& scratch,
                           const AttendStages& stages, Workers*) {
  return attend_checked(query, key, value, options, context, scratch, stages);
}

#endif

}  // namespace attention
