// Any bytes as case.txt: refused with a sentence, or parsed into sizes that are within their
// limits.
#include <cstdlib>

#include "case_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  conformance::Case parsed;
  if (conformance::parse_case(text, "case.txt", parsed)) return 0;
  for (const auto* tensors : {&parsed.inputs, &parsed.outputs}) {
    for (conformance::Tensor tensor : *tensors) {
      const std::uint64_t needed = conformance::stored_bytes(tensor);
      if (needed > conformance::kMaxTensorBytes || tensor.dims.size() > conformance::kMaxRank)
        std::abort();
      if (needed > 1 << 20) continue;
      const std::vector<std::byte> zeros(needed);
      conformance::decode(zeros, tensor);
      if (tensor.floats().size() != tensor.count) std::abort();
    }
  }
  return 0;
}
