#include "attention/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/generator.h"
#include "kernels.h"

namespace attention {

namespace {

struct MatrixPlace {
  Matrix id;
  std::span<const float> Parameters::* view;
};
constexpr std::array<MatrixPlace, 4> kMatrices{{{Matrix::W_Q, &Parameters::W_Q},
                                                {Matrix::W_K, &Parameters::W_K},
                                                {Matrix::W_V, &Parameters::W_V},
                                                {Matrix::W_O, &Parameters::W_O}}};
constexpr std::array<MatrixPlace, 4> kBiases{{{Matrix::b_Q, &Parameters::b_Q},
                                              {Matrix::b_K, &Parameters::b_K},
                                              {Matrix::b_V, &Parameters::b_V},
                                              {Matrix::b_O, &Parameters::b_O}}};

}  // namespace

Error RandomParameters::draw(const Settings& s) {
  const bool same = s.seed == seed_ && s.d_model == d_model_ && s.biases == biases_;
  if (same) return {};

  const std::size_t D = static_cast<std::size_t>(s.d_model);
  d_model_ = 0;  // until all is drawn, nothing counts as drawn
  if (!memory_.resize(kMatrices.size() * D * D + kBiases.size() * D)) {
    view_ = {};
    return {ErrorCode::out_of_memory,
            "There is not enough memory for the parameters of d_model = " +
                std::to_string(s.d_model) + ". Choose a smaller d_model or close other pages."};
  }

  const float deviation = 1.0f / std::sqrt(static_cast<float>(D));
  float* next = memory_.floats().data();
  const auto draw_rows = [&](const MatrixPlace& place, std::size_t rows, bool zero) {
    float* const begin = next;
    for (std::size_t row = 0; row < rows; ++row, next += D) {
      if (zero) {
        std::fill_n(next, D, 0.0f);
      } else {
        fill_normal({next, D}, s.seed, place.id, static_cast<std::uint32_t>(row));
        kernels::scale(next, next, deviation, D);
      }
    }
    view_.*place.view = {begin, rows * D};
  };
  for (const MatrixPlace& place : kMatrices) draw_rows(place, D, false);
  for (const MatrixPlace& place : kBiases) draw_rows(place, 1, !s.biases);

  seed_ = s.seed;
  d_model_ = s.d_model;
  biases_ = s.biases;
  return {};
}

}  // namespace attention
