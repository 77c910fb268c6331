// Every operator of the library, in the order in which they are built: what each header holds.
//
// Functions may run at once on any threads, as long as none writes what another uses; what has a state says beside its
// declaration which threads may use it.
#pragma once

// Numbers, memory and errors.
#include "attention/error.h"      // errors are values: a rule, its numbers, a sentence on demand
#include "attention/buffer.h"     // aligned memory, asked for without exceptions
#include "attention/heads.h"      // views of tensors: heads, rows, ranges of keys
#include "attention/generator.h"  // the counter-based generator of every random number

// Attention and what stands around it: operators over your own numbers.
#include "attention/attend.h"           // attend(): softmax(mask(softcap(scale · Q·K^T)) / temperature)·V
#include "attention/workers.h"          // attend() by several threads
#include "attention/vectors.h"          // which SIMD registers all this runs on
#include "attention/ops.h"              // linear layers, layer norm, GELU, softmax
#include "attention/positions.h"        // sinusoids, tables of positions, rotary ones
#include "attention/key_value_cache.h"  // keys and values of tokens read before
#include "attention/multi_head.h"       // the multi-head layer, and changes to its heads
#include "attention/block.h"            // a pre-norm block
#include "attention/decoder.h"          // a whole decoder
#include "attention/sample.h"           // the next token, drawn from logits
#include "attention/head_measures.h"    // what a model's heads do on a text, and how much each of them writes
#include "attention/measures.h"         // entropy, cosine; what random numbers and softmax do to each other

// Beside them:
//   backward.h, optimizer.h, trainer.h, tasks.h, lessons.h   training, in a library of its own: attention::train
//   layer/session.h and what it includes                     the page's layer: embeddings, the multi-head layer,
//                                                            every stage kept and explained
