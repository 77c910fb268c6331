// How one number was computed: rule, operands and partial sums, all of them the engine's own floats.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace attention {

// array[index] is `value`, bit for bit; `array` is the id of a stage or of a parameter.
struct Operand {
  std::string_view array;
  std::size_t index = 0;
  float value = 0;
};

struct Term {
  Operand left;
  Operand right;       // array empty where the rule works on one number
  float product = 0;   // what this term brings
  float partial_sum = 0;  // after this term, in the order the kernels add
};

struct Constant {
  std::string_view name;
  double value = 0;  // of a float32, or a count
};

// The rules, by id. n is the last term; for those marked +, result = partial_sum of n (+ bias).
//
//   draw      a random number of `seed`, from its row and column (or word); no terms
//   given     came with the request; given values that are content · W_V + b_V to the last bit are a dot
//   edit      set by hand
//   zero      there is nothing: no position is added
//   sinusoid  sin or cos of position · 10000^(-2·pair / width)    position, pair, width, is_cosine
//   angle     the same of a rotary table
//   slope     ALiBi's for head `head` of `heads`
//   copy +    left
//   add +     the terms' left operands, one after another
//   dot +     left · right, added in order from 0; then bias.     norm_left, norm_right, cosine
//             A masked key brings 0 to a context even where its value is not finite
//   norm      a dot product as above; result = normed · gain, where normed is the dot product over rms, the root of the
//             mean square of its head's dot products and epsilon   rms, normed, gain
//   rotate +  left · right (a cosine) and ± left · right (a sine)
//   scale +   left · factor                                       factor
//   cap +     cap · tanh(left / cap)                              cap
//   mask      left, - slope · distance; -infinity unless allowed  allowed, distance: |key - query|
//             (ALiBi's second term: -slope · distance)
//   softmax   product = exp(left / temperature - max), one term a key; partial_sum = the sum in this
//             term's lane (the kernels add in several lanes, exp_sum is their sum); result = the
//             product of term `self` / exp_sum                    temperature, max, exp_sum, self
//   arg-max   product = 1 where left is max, else 0; result = the product of `self` · (1 / ties)
//             (0 when every key is masked)                        temperature, max, ties, self
//   drop +    left · factor, or 0 when it was dropped             kept, factor
//
// Of a row in a block or outside of them (block.h, decoder.h), besides `given`, `copy`, `add`, `softmax` and `dot`, the latter
// without constants:
//   layer-norm   product = normed · right, the gain; normed = (left - mean) / deviation, the root of variance and
//                epsilon; then bias                               mean, deviation, normed
//   rms-norm     the same with left / rms                         rms, normed
//   silu         left · share, 1 / (1 + exp(-left))               share
//   gelu         left · share, the normal distribution's up to left, exactly or by tanh   share, is_erf
//   multiply +   left · right
struct Explanation {
  std::string_view rule;
  std::vector<Term> terms;
  Operand bias;  // array empty = none
  std::vector<Constant> constants;
  float result = 0;
};

}  // namespace attention
