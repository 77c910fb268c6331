// Which SIMD registers the library runs on, and the choice of those whose bits are the same everywhere.
#include <cstdio>

#include "attention/vectors.h"
#include "attention/version.h"

int main() {
  const bool has_more = attention::has_vectors(attention::Vectors::eight_lanes);
  if (!attention::use_vectors(attention::Vectors::four_lanes)) {
    std::printf("This build has wider kernels alone: %d lanes.\n", attention::simd_lanes());
    return 0;
  }
  std::printf("attention %d.%d runs on %d lanes.\n", ATTENTION_VERSION_MAJOR, ATTENTION_VERSION_MINOR,
              attention::simd_lanes());
  if (has_more && !attention::use_vectors(attention::Vectors::eight_lanes)) return 1;
}
