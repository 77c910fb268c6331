// Runs cases and holds the library's results against the expected ones. One line a case, then a
// summary; exit status 0 when there was at least one case and all passed.
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
  Results (*run)(const Case& wanted);
};
constexpr Operator kOperators[] = {
    {"Attention", run_attention},           {"MultiheadAttention", run_multi_head},
    {"RotaryEmbedding", run_rotary},        {"Softmax", run_softmax},
    {"LayerNormalization", run_layer_norm}, {"Gelu", run_gelu},
    {"PositionEmbedding", run_positions},   {"Decoder", run_decoder},
    {"Llama", run_llama},                   {"GPTNeoX", run_neox},
    {"BERT", run_bert}};

// An only output may bear ONNX's own names.
bool is_called(const Computed& got, const std::string& expected) {
  return got.name == expected || (got.name == "Y" && (expected == "y" || expected == "output"));
}

// Y is held against every way but the reference; Y_f64 against the reference, and also against the
// others in a case without Y, or where there is no reference.
Verdict judge(const Case& wanted) {
  const Operator* const op = std::find_if(std::begin(kOperators), std::end(kOperators),
                                          [&](const Operator& o) { return o.name == wanted.op; });
  require(op != std::end(kOperators),
          "Operator '" + wanted.op + "' is not one that this program knows.");
  Verdict verdict;
  const Results results = op->run(wanted);
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
    require(held, "Output '" + expected.name + "' is not one of " + wanted.op + "'s.");
  }
  return verdict;
}

class Runner {
 public:
  explicit Runner(std::string only) : only_(std::move(only)) {}

  // A folder of one case, or a file of many.
  void run(const std::filesystem::path& path) {
    Case read;
    std::vector<Case> cases;
    const bool is_folder = path.extension() != kPackSuffix;
    const std::string file = path.filename().string();
    try {
      if (is_folder) {
        read_case(path, read);
        cases.push_back(std::move(read));
      } else {
        cases = read_pack(path);
      }
    } catch (const Refusal& refusal) {
      return error(read.name.empty() ? file : read.name, refusal.what());
    }
    for (const Case& each : cases) {
      if (each.name.find(only_) == std::string::npos) continue;
      run(each, is_folder ? each.name : file + ": " + each.name);
    }
  }

  int summary() const {
    std::printf("%zu passed, %zu failed\n", passed_, failed_);
    return passed_ > 0 && failed_ == 0 ? 0 : 1;
  }

 private:
  void error(const std::string& name, const char* sentence) {
    std::printf("ERROR %s %s\n", name.c_str(), sentence);
    ++failed_;
  }

  void run(const Case& wanted, const std::string& name) {
    try {
      const Verdict verdict = judge(wanted);
      if (verdict.failure.empty()) {
        const std::string suite = wanted.suite.empty() ? "" : "(" + wanted.suite + ") ";
        std::printf("ok   %s %smax|Δ| %.3g\n", name.c_str(), suite.c_str(), verdict.largest);
        ++passed_;
      } else {
        std::printf("FAIL %s %s\n", name.c_str(), verdict.failure.c_str());
        ++failed_;
      }
    } catch (const Refusal& refusal) {
      error(name, refusal.what());
    } catch (const std::exception&) {  // the others still run
      error(name, "There is not enough memory for this case.");
    }
  }

  std::string only_;
  std::size_t passed_ = 0, failed_ = 0;
};

// Appends what holds cases, at `root` or below; false when it cannot be read.
bool find_cases(const std::filesystem::path& root, std::vector<std::filesystem::path>& found) {
  std::error_code error;
  if (std::filesystem::is_regular_file(root, error)) return found.push_back(root), true;
  if (std::filesystem::exists(root / kCaseFile, error)) found.push_back(root);
  std::filesystem::recursive_directory_iterator at(root, error), end;
  while (!error && at != end) {
    const std::filesystem::path& path = at->path();
    if (path.filename() == kCaseFile) found.push_back(path.parent_path());
    if (path.extension() == kPackSuffix) found.push_back(path);
    at.increment(error);
  }
  return !error;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> given(argv + 1, argv + argc);
  const bool filters = given.size() > 1 && given[0] == "--only";
  if (given.empty() || (given[0][0] == '-' && (!filters || given.size() < 3))) {
    std::fprintf(stderr,
                 "usage: attention_conformance [--only NAME] DIR|FILE...\n"
                 "DIR holds cases at any depth: folders with a case.txt, and .safetensors files.\n"
                 "NAME: only the cases whose name contains it.\n");
    return 2;
  }
  std::vector<std::filesystem::path> found;
  for (std::size_t i = filters ? 2 : 0; i < given.size(); ++i) {
    if (!find_cases(given[i], found)) {
      std::fprintf(stderr, "%s is no file or folder that can be read.\n", given[i].c_str());
      return 2;
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  Runner runner(filters ? given[1] : "");
  for (const auto& path : found) runner.run(path);
  return runner.summary();
}
