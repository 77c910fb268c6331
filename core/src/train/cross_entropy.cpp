#include <algorithm>

#include "attention/backward.h"
#include "kernels.h"
#include "train/logarithm.h"

namespace attention {

CrossEntropy cross_entropy(const float* logits, std::size_t width, std::span<const std::int32_t> targets,
                           float* dlogits) {
  CrossEntropy result;
  for (const std::int32_t target : targets) result.asked += target >= 0;
  const float share = result.asked == 0 ? 0 : 1 / static_cast<float>(result.asked);
  float unwanted = 0;
  for (const std::int32_t target : targets) {
    if (target >= 0) {
      const auto answer = static_cast<std::size_t>(target);
      const float max = kernels::row_max(logits, width), of_answer = logits[answer];
      result.right += std::find(logits, logits + width, max) == logits + answer;
      float sum = 0;
      if (dlogits != nullptr) {
        sum = kernels::exp_row(dlogits, logits, max, width);
        kernels::scale(dlogits, dlogits, share / sum, width);
        dlogits[answer] -= share;
      } else {
        for (std::size_t i = 0; i < width; ++i) sum += kernels::exp_row(&unwanted, logits + i, max, 1);
      }
      result.loss += logarithm(static_cast<double>(sum)) + (static_cast<double>(max) - static_cast<double>(of_answer));
    } else if (dlogits != nullptr) {
      std::fill_n(dlogits, width, 0.0f);
    }
    logits += width;
    if (dlogits != nullptr) dlogits += width;
  }
  if (result.asked > 0) result.loss /= result.asked;
  return result;
}

}  // namespace attention
