// The whole library, in the order in which it is built: what each header holds.
#pragma once

// Numbers, memory and errors.
#include "attention/error.h"         // errors are values: a rule, its numbers, a sentence on demand
#include "attention/buffer.h"        // aligned memory, asked for without exceptions
#include "attention/heads.h"         // views of tensors: heads, rows, ranges of keys
#include "attention/architecture.h"  // which instructions the kernels run on
#include "attention/generator.h"     // the counter-based generator of every random number

// Attention and what stands around it: operators over your own numbers.
#include "attention/attend.h"           // attend(): softmax(mask(softcap(scale · Q·K^T)) / temperature)·V
#include "attention/workers.h"          // attend() by several threads
#include "attention/softmax.h"          // softmax alone
#include "attention/linear.h"           // y = x·W + b
#include "attention/rotary.h"           // rotary positions
#include "attention/positions.h"        // sinusoids, and tables of positions
#include "attention/key_value_cache.h"  // keys and values of tokens read before
#include "attention/interventions.h"    // changes to a model's heads, to see what they were for
#include "attention/multi_head.h"       // the multi-head layer
#include "attention/block.h"            // layer norm, GELU, a pre-norm block
#include "attention/decoder.h"          // a whole decoder
#include "attention/measures.h"         // entropy, cosine and the like
#include "attention/statistics.h"       // what random numbers and softmax do to each other

// The page's layer: the multi-head layer run on embeddings, with every stage kept and explained.
#include "attention/settings.h"     // what a run is asked to do
#include "attention/request.h"      // its words, and what is set by hand
#include "attention/shape.h"        // the letters of every shape
#include "attention/parameters.h"   // the matrices of the layer
#include "attention/trace.h"        // every stage of a run
#include "attention/stages.h"       // their table
#include "attention/explanation.h"  // how one number came about
#include "attention/session.h"      // the entry point
#include "attention/reference.h"    // the same by plain loops in double
