// Any bytes as case.txt, as a safetensors file, and as the header of one (up to the first zero,
// with its length before it): refused with a sentence, or read into sizes that are within their
// limits.
#include <cstdlib>

#include "case_reader.h"

using namespace conformance;

namespace {

// Of a case.txt only: there are no files.
Bytes load(const std::string&, std::uint64_t size) {
  if (size > kMaxTensorBytes) std::abort();
  if (size > 1 << 20) throw Refusal("is not there");
  return Bytes(size);
}

void check(const Case& read) {
  if (read.outputs.empty()) std::abort();
  for (const auto* tensors : {&read.inputs, &read.outputs}) {
    for (const Tensor& tensor : *tensors) {
      if (tensor.dims.size() > kMaxRank || tensor.floats().size() != tensor.count) std::abort();
      if (std::visit([](const auto& numbers) { return numbers.size(); }, tensor.numbers) !=
          tensor.count)
        std::abort();
    }
  }
}

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const Refusal& refusal) {
    if (std::string_view(refusal.what()).empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  attempt([&] {
    Case read;
    parse_case(text, "case.txt", load, read);
    check(read);
  });
  const auto pack = [](std::span<const std::byte> file) {
    attempt([&] {
      for (const Case& read : parse_pack(file, "cases.safetensors")) check(read);
    });
  };
  pack(std::as_bytes(std::span(bytes, size)));
  const std::uint64_t header = std::min(text.find('\0'), size);
  std::string file(reinterpret_cast<const char*>(&header), sizeof header);
  pack(std::as_bytes(std::span(file.append(text))));
  return 0;
}
