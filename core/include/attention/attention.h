// The whole library, in the order in which it is built: what each header holds.
#pragma once

// Numbers, memory and errors.
#include "attention/error.h"      // errors are values: a rule, its numbers, a sentence on demand
#include "attention/buffer.h"     // aligned memory, asked for without exceptions
#include "attention/heads.h"      // views of tensors: heads, rows, ranges of keys
#include "attention/generator.h"  // the counter-based generator of every random number

// Attention and what stands around it: operators over your own numbers.
#include "attention/attend.h"           // attend(): softmax(mask(softcap(scale · Q·K^T)) / temperature)·V
#include "attention/workers.h"          // attend() by several threads
#include "attention/ops.h"              // linear layers, layer norm, GELU, softmax
#include "attention/positions.h"        // sinusoids, tables of positions, rotary ones
#include "attention/key_value_cache.h"  // keys and values of tokens read before
#include "attention/multi_head.h"       // the multi-head layer, and changes to its heads
#include "attention/block.h"            // a pre-norm block
#include "attention/decoder.h"          // a whole decoder
#include "attention/measures.h"         // entropy, cosine; what random numbers and softmax do to each other

// Training, in a library of its own: attention::train.
#include "attention/backward.h"   // gradients of the operators and of attend()
#include "attention/optimizer.h"  // AdamW, gradient descent
#include "attention/trainer.h"    // a decoder that learns, exact to the bit
#include "attention/tasks.h"      // what small models are trained on
#include "attention/lessons.h"    // configurations that keep their promises

// The page's layer: the multi-head layer run on embeddings, with every stage kept and explained.
#include "attention/settings.h"     // what a run is asked to do, and the letters of its shapes
#include "attention/request.h"      // its words, and what is set by hand
#include "attention/parameters.h"   // the matrices of the layer
#include "attention/trace.h"        // every stage of a run, and their table
#include "attention/explanation.h"  // how one number came about
#include "attention/session.h"      // the entry point
#include "attention/reference.h"    // the same by plain loops in double
