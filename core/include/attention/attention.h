// Includes every operator of the library, and says what each header holds.
//
// Functions may run concurrently, as long as none writes what another uses. For objects with a state, the comment at
// the declaration says which threads may use them.
#pragma once

// Numbers, memory and errors.
#include "attention/error.h"      // errors are values: a rule, its numbers, a sentence on demand
#include "attention/buffer.h"     // aligned memory, asked for without exceptions
#include "attention/heads.h"      // views of tensors: heads, rows, ranges of keys
#include "attention/generator.h"  // the counter-based generator of every random number

// Attention and the operators around it.
#include "attention/attend.h"           // attend(): softmax(mask(softcap(scale · Q·K^T)) / temperature)·V
#include "attention/workers.h"          // attend() by several threads
#include "attention/vectors.h"          // which SIMD registers are used
#include "attention/ops.h"              // linear layers, layer norm, GELU, softmax
#include "attention/positions.h"        // sinusoids, tables of positions, rotary ones
#include "attention/key_value_cache.h"  // keys and values of tokens read before
#include "attention/multi_head.h"       // the multi-head layer, and changes to its heads
#include "attention/block.h"            // transformer blocks
#include "attention/decoder.h"          // a whole decoder
#include "attention/sample.h"           // drawing the next token from logits
#include "attention/head_measures.h"    // measures of a model's heads on a text: what they attend to, how much they write
#include "attention/measures.h"         // entropy, cosine; random numbers and how softmax saturates

// Not included:
//   backward.h, optimizer.h, trainer.h, tasks.h, lessons.h   training, in a library of its own: attention::train
//   layer/session.h and what it includes                     the page's layer: embeddings, the multi-head layer,
//                                                            every stage kept and explained
