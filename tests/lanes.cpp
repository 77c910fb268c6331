// Linked into every test program: it runs on four lanes, whose bits are compared with those of WebAssembly, or on as
// many as ATTENTION_TEST_LANES says. Ends with 77, which CTest takes for skipped, where they are not to be had.
#include <cstdio>
#include <cstdlib>

#include "attention/vectors.h"

namespace {

using attention::Vectors;

const bool is_chosen = [] {
  const char* const wanted = std::getenv("ATTENTION_TEST_LANES");
  if (wanted == nullptr) {  // a build of one set may have others
    return !attention::has_vectors(Vectors::four_lanes) || attention::use_vectors(Vectors::four_lanes);
  }
  if (!attention::use_vectors(static_cast<Vectors>(std::atoi(wanted)))) {
    std::printf("This processor or this build has no kernels for %s lanes.\n", wanted);
    std::exit(77);
  }
  return true;
}();

}  // namespace
