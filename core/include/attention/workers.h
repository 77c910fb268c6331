// attend(), layers and decoders on several threads, with the same bits as on one.
#pragma once

#include <cstddef>
#include <memory>

#include "attention/attend.h"
#include "attention/export.h"
#include "attention/ops.h"

namespace attention {

// Threads that wait for work, with memory for each. One call at a time, from any thread; for concurrent calls use
// several Workers.
class ATTENTION_API Workers {
 public:
  // `count` threads in all, the caller's among them; fewer where the system gives no more.
  explicit Workers(std::size_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t count() const;

  // Calls task(context, i, worker) once for each i below `tasks`, on any thread, and returns when all
  // calls have; `worker`, below count(), tells calls that run at the same time apart.
  using Task = void (*)(void* context, std::size_t i, std::size_t worker);
  void run(std::size_t tasks, Task task, void* context);

  // The thread that calls run() calls is_alone(context) before each of its tasks. While it says true, that thread goes
  // on alone: each other one ends the task that it is at and takes no further one. Null, the default, asks nothing.
  using Asked = bool (*)(void* context);
  void ask(Asked is_alone, void* context);

  // Ends the other threads; the calling one goes on alone, and count() is 1.
  void end_threads();

  Buffer& scratch(std::size_t worker);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

// Like attend() on one thread, without stages. Batches, key heads and, if these are few, blocks of queries are
// divided among the workers; each has its own scratch memory.
ATTENTION_API Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                           const AttendOptions& options, Heads<float> context, Workers& workers);

// As apply() of one thread; small products are left to the caller's.
ATTENTION_API void apply(const Linear& linear, const float* x, std::size_t rows, float* y, Workers& workers);

}  // namespace attention
