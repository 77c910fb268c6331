// Whole models' gradients against PyTorch's, as tests/data/train/make_gradients.py wrote them.
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <fstream>
#include <iterator>

#include "attention/trainer.h"
#include "differences.h"

using namespace attention;

namespace {

class Reader {
 public:
  explicit Reader(const char* path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  bool at_end() const { return at_ == bytes_.size(); }
  template <class T>
  std::vector<T> next(std::size_t count) {
    REQUIRE(at_ + count * sizeof(T) <= bytes_.size());
    std::vector<T> out(count);
    std::memcpy(out.data(), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return out;
  }

 private:
  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

TEST_CASE("a step's loss and gradients are PyTorch's", "[train][pytorch]") {
  Reader reader(ATTENTION_TRAIN_DATA "/gradients.bin");
  int models = 0;
  for (; !reader.at_end(); ++models) {
    const auto n = reader.next<std::int32_t>(16);
    const auto size = [&](std::size_t i) { return static_cast<std::uint32_t>(n[i]); };
    TrainerShape shape{.vocabulary = size(0),
                       .context = size(1),
                       .slots = size(2),
                       .d_model = size(3),
                       .heads = size(4),
                       .d_k = size(5),
                       .layers = size(6),
                       .hidden = size(7),
                       .positions = static_cast<PositionKind>(n[8]),
                       .tied = n[9] != 0};
    TrainerRule rule;
    rule.is_causal = n[10] != 0;
    rule.scales = n[11] != 0;
    const std::size_t texts = size(12), tokens_in_all = texts * size(13), count = size(15);
    const auto weights = reader.next<float>(count);
    const auto tokens = reader.next<std::int32_t>(tokens_in_all), second = reader.next<std::int32_t>(tokens_in_all);
    const auto targets = reader.next<std::int32_t>(tokens_in_all * shape.slots);
    const double loss = reader.next<double>(1)[0];
    const auto gradients = reader.next<float>(count);

    Trainer trainer;
    Buffer saved;
    REQUIRE_FALSE(trainer.start(shape, 1));
    REQUIRE(trainer.parameter_count() == count);
    REQUIRE_FALSE(trainer.save(saved));
    std::memcpy(saved.floats().data() + 17, weights.data(), count * sizeof(float));
    REQUIRE_FALSE(trainer.restore(saved.floats()));
    TrainBatch batch{tokens, {}, targets, texts};
    if (n[14] != 0) batch.second = second;
    StepReport report;
    REQUIRE_FALSE(trainer.step(batch, rule, report));
    INFO("model " << models);
    CHECK(std::fabs(report.loss - loss) < 2e-6 * loss);
    std::size_t at = 0;
    for (const TrainedArray& array : trainer.arrays()) {
      INFO(array.name);
      const auto expected = std::span(gradients).subspan(at, array.gradients.size());
      CHECK(test::distance(array.gradients, expected, 1e-3) < 2e-5);
      at += expected.size();
    }
    // And those in double, closer still.
    const std::vector<double> in_double(weights.begin(), weights.end());
    const ReferenceStep exact = reference_gradients(trainer.shape(), in_double, batch, rule);
    CHECK(std::fabs(exact.loss - loss) < 1e-12);
    CHECK(test::distance(exact.gradients, gradients) < 1e-6);
  }
  CHECK(models == 4);
}
