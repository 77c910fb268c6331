#include "attention/softmax.h"

#include "kernels.h"

namespace attention {

void softmax(const float* in, std::size_t rows, std::size_t width, float* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    kernels::softmax_row(out + row * width, in + row * width, width);
  }
}

}  // namespace attention
