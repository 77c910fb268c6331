// attention_conformance DIR...: runs every case below the folders and holds the library's results
// against the expected ones. One line a case, then a summary; exit status 0 when there was at least
// one case and all passed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "operators.h"

namespace {

using namespace conformance;

std::string text(double number) {
  if (std::isnan(number)) return "nan";  // printf may print its sign
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.9g", number);
  return buffer;
}

std::string text(const std::vector<std::size_t>& dims) {
  std::string out = "(";
  for (const std::size_t extent : dims)
    out += (out.size() > 1 ? ", " : "") + std::to_string(extent);
  return out + ")";
}

// Extents other than 1: an author may leave out a batch or a head of one.
std::vector<std::size_t> squeezed(std::vector<std::size_t> dims) {
  std::erase(dims, std::size_t{1});
  return dims;
}

struct Verdict {
  std::string failure;  // of the worst element; empty when all pass
  double largest = 0;   // |got - expected| over finite numbers
};

bool is_same_place(double got, double expected) {
  return got == expected || (std::isnan(got) && std::isnan(expected));
}

void compare(const Case& wanted, const Tensor& expected, const Computed& got, Verdict& verdict) {
  const std::string name = "output " + expected.name;
  const std::string by = " [" + got.way + "]";
  if (squeezed(got.dims) != squeezed(expected.dims)) {
    verdict.failure =
        name + ": got shape " + text(got.dims) + " expected " + text(expected.dims) + by;
    return;
  }
  double worst = 1;  // |got - expected| / allowed; elements up to 1 pass
  for (std::size_t i = 0; i < expected.count; ++i) {
    const double e = expected.at(i), g = got.values[i];
    if (is_same_place(g, e)) continue;
    const double off = std::fabs(g - e);
    const double allowed = wanted.atol + wanted.rtol * std::fabs(e);
    if (std::isfinite(off)) verdict.largest = std::max(verdict.largest, off);
    const bool passes = std::isfinite(e) && std::isfinite(g) && off <= allowed;
    const double share =
        std::isfinite(off) && allowed > 0 ? off / allowed : std::numeric_limits<double>::infinity();
    if (passes || !(share > worst)) continue;
    worst = share;
    verdict.failure = name + "[" + std::to_string(i) + "]: got " + text(g) + " expected " +
                      text(e) + " (|Δ| " + text(off) + ", allowed " + text(allowed) + ")" + by;
  }
}

struct Operator {
  std::string_view name;
  Refusal (*run)(const Case& wanted, Results& results);
};
constexpr Operator kOperators[] = {
    {"Attention", run_attention},           {"MultiheadAttention", run_multi_head},
    {"RotaryEmbedding", run_rotary},        {"Softmax", run_softmax},
    {"LayerNormalization", run_layer_norm}, {"Gelu", run_gelu},
    {"PositionEmbedding", run_positions},   {"Decoder", run_decoder}};

// An only output may bear ONNX's own names.
bool is_called(const Computed& got, const std::string& expected) {
  return got.name == expected || (got.name == "Y" && (expected == "y" || expected == "output"));
}

// Y is held against every way but the reference; Y_f64 against the reference, and also against the
// others in a case without Y, or where there is no reference.
Refusal judge(const Case& wanted, Verdict& verdict) {
  Results results;
  const Operator* const op = std::find_if(std::begin(kOperators), std::end(kOperators),
                                          [&](const Operator& o) { return o.name == wanted.op; });
  if (op == std::end(kOperators))
    return {"Operator '" + wanted.op + "' is not one that this program knows."};
  if (Refusal refusal = op->run(wanted, results)) return refusal;
  const bool has_reference = std::any_of(results.begin(), results.end(),
                                         [](const Computed& c) { return c.way == kReference; });
  for (const Tensor& expected : wanted.outputs) {
    const bool takes_Y =
        expected.name == "Y_f64" && (wanted.output("Y") == nullptr || !has_reference);
    bool held = false;
    for (const Computed& got : results) {
      if (!is_called(got, expected.name) && !(takes_Y && got.name == "Y")) continue;
      held = true;
      if (verdict.failure.empty()) compare(wanted, expected, got, verdict);
    }
    if (!held) return {"Output '" + expected.name + "' is not one of " + wanted.op + "'s."};
  }
  return {};
}

// A case that needs more memory than there is fails by itself.
Refusal judge_in_memory(const Case& wanted, Verdict& verdict) {
  try {
    return judge(wanted, verdict);
  } catch (const std::exception&) {
    return {"There is not enough memory for this case."};
  }
}

// Prints the case's line; true when it passed.
bool run_case(const std::filesystem::path& folder) {
  Case wanted;
  Verdict verdict;
  Refusal refusal = read_case(folder, wanted);
  const std::string name = wanted.name.empty() ? folder.filename().string() : wanted.name;
  if (!refusal) refusal = judge_in_memory(wanted, verdict);
  if (refusal) {
    std::printf("ERROR %s %s\n", name.c_str(), refusal.sentence.c_str());
  } else if (!verdict.failure.empty()) {
    std::printf("FAIL %s %s\n", name.c_str(), verdict.failure.c_str());
  } else {
    std::printf("ok   %s (%s) max|Δ| %.3g\n", name.c_str(), wanted.suite.c_str(), verdict.largest);
  }
  return !refusal && verdict.failure.empty();
}

// Folders at or below `root` that hold a case; false when it cannot be read.
bool find_cases(const std::filesystem::path& root, std::vector<std::filesystem::path>& folders) {
  std::error_code error;
  if (std::filesystem::exists(root / kCaseFile, error)) folders.push_back(root);
  std::filesystem::recursive_directory_iterator at(root, error), end;
  while (!error && at != end) {
    if (at->path().filename() == kCaseFile && at->path().parent_path() != root) {
      folders.push_back(at->path().parent_path());
    }
    at.increment(error);
  }
  return !error;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: attention_conformance DIR...\n");
    return 2;
  }
  std::vector<std::filesystem::path> folders;
  for (int i = 1; i < argc; ++i) {
    if (!find_cases(argv[i], folders)) {
      std::fprintf(stderr, "%s is not a folder that can be read.\n", argv[i]);
      return 2;
    }
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  std::size_t passed = 0;
  for (const auto& folder : folders) passed += run_case(folder) ? 1 : 0;
  std::printf("%zu passed, %zu failed\n", passed, folders.size() - passed);
  return passed > 0 && passed == folders.size() ? 0 : 1;
}
