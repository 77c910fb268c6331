/* attend() for other languages: plain C, no exceptions. Options have the names, meanings and defaults of AttendOptions
 * in attend.h, and tensors lie as Heads in heads.h; they are described there alone.
 *
 * A call belongs to one thread at a time; different calls may run at once. Functions that can fail return 0 when
 * all went well; attention_error() then says what was wrong otherwise. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "attention/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tensors, options and memory of a call of attend(), kept from one run to the next. NULL without memory. */
typedef struct attention_call attention_call;
ATTENTION_API attention_call* attention_new(void);
ATTENTION_API void attention_free(attention_call* call);

/* "query", "key", "value" or "context": (batch, heads, rows, width), contiguous; the memory stays yours. With
 * strides[3], numbers from one batch, head and row to the next, it lies as they say; NULL = contiguous. */
ATTENTION_API int attention_tensor(attention_call* call, const char* name, float* data, const size_t extents[4],
                                   const size_t strides[3]);

/* "scale", "softcap", "is_causal", "offset", "window_left", "window_right", "temperature", "dropout", "dropout_seed". */
ATTENTION_API int attention_option(attention_call* call, const char* name, double value);

/* "batch_offsets" or "key_lengths", and alibi_slopes; copied; a count of 0 = none. */
ATTENTION_API int attention_whole_numbers(attention_call* call, const char* name, const int64_t* numbers, size_t count);
ATTENTION_API int attention_alibi_slopes(attention_call* call, const float* slopes, size_t count);

/* MaskTensor; not copied. Either may be NULL. */
ATTENTION_API int attention_mask(attention_call* call, const uint8_t* allowed, const float* bias,
                                 const size_t extents[4]);

/* Threads in all, the caller's among them; 1 at first. */
ATTENTION_API int attention_threads(attention_call* call, size_t count);

/* Writes the context. */
ATTENTION_API int attention_run(attention_call* call);

/* What was wrong with the last function that failed: a sentence, the call's own; "" at first. */
ATTENTION_API const char* attention_error(const attention_call* call);

/* use_vectors() and simd_lanes() of vectors.h. */
ATTENTION_API int attention_use_lanes(int lanes);
ATTENTION_API int attention_lanes(void);

#ifdef __cplusplus
}
#endif
