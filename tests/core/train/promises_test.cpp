// What each lesson promises, over all of its seeds: seven minutes on one core, most of them for lesson 7.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "attention/lessons.h"

using namespace attention;

namespace {

// Written for this test.
constexpr std::string_view kTale =
    "Once upon a time there was a little girl who lived in a small house at the edge of the dark wood, and every "
    "morning she went out to gather berries for her mother. One day she met an old wolf who was sitting by the well. "
    "He asked her where she was going, and she told him that she had to bring bread and butter to her grandmother, "
    "who was ill and lived on the other side of the hill. The wolf thought for a while. Then he ran ahead as fast as "
    "he could, knocked at the door, and waited. But the grandmother had seen him from the window, and she did not "
    "open. So he went home hungry, and nobody in the village ever saw him again.";

// As the page cuts it: the last sentence has ids, and is not learnt.
constexpr std::size_t kLearnt = kTale.rfind(". ") + 1;

struct Ids {
  std::vector<std::int32_t> text;
  std::uint32_t count;
};
using Pieces = std::vector<std::string> (*)(std::string_view);
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == ' ')
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}
Ids learnt(Pieces cut) {
  Ids made{{}, 0};
  std::map<std::string, std::int32_t> ids;
  const auto id_of = [&](const std::string& piece) {
    return ids.emplace(piece, static_cast<std::int32_t>(ids.size())).first->second;
  };
  for (const std::string& piece : cut(kTale.substr(0, kLearnt))) made.text.push_back(id_of(piece));
  for (const std::string& piece : cut(kTale.substr(kLearnt + 1))) id_of(piece);
  made.count = static_cast<std::uint32_t>(ids.size());
  return made;
}

constexpr std::size_t kWindow = 20;

struct Run {
  Trainer trainer;
  std::uint32_t reached = UINT32_MAX;  // the step at which the promised accuracy was passed
  double most = 0;                     // accuracy of any window
  double loss = 0;                     // mean of the last window
};

Run run(const Lesson& lesson, std::uint32_t seed) {
  Run made;
  REQUIRE_FALSE(made.trainer.start(lesson.shape, seed));
  std::vector<StepReport> reports;
  TaskBatch batch;
  for (std::uint32_t step = 0; step < lesson.steps; ++step) {
    StepReport& report = reports.emplace_back();
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, lesson.texts, seed, step, batch));
    REQUIRE_FALSE(made.trainer.step(batch.view(), lesson.rule, report));
    if (reports.size() < kWindow) continue;
    double right = 0, asked = 0;
    made.loss = 0;
    for (auto r = reports.end() - kWindow; r != reports.end(); ++r) {
      right += r->right, asked += r->asked, made.loss += r->loss / kWindow;
    }
    made.most = std::max(made.most, right / asked);
    if (right / asked > static_cast<double>(lesson.promise.reaches)) made.reached = std::min(made.reached, step + 1);
  }
  return made;
}

// --- the table of web/docs/training.md, with UPDATE_TABLES=1 ------------------------------------------

std::string least_median_most(std::vector<double> numbers, int digits) {
  std::ranges::sort(numbers);
  std::string text;
  for (const double number : {numbers.front(), numbers[numbers.size() / 2], numbers.back()}) {
    char written[32];
    std::snprintf(written, sizeof(written), "%.*f", digits, number);
    text += (text.empty() ? "" : " · ") + std::string(written);
  }
  return text;
}

// In place of the line that begins so, or before the mark.
void write(const std::string& begins, const std::string& row, std::string_view mark) {
  std::ifstream in(ATTENTION_TRAINING_GUIDE);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  in.close();
  auto at = std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(begins); });
  if (at == lines.end()) at = lines.insert(std::ranges::find(lines, mark), "");
  *at = begins + row;
  std::ofstream out(ATTENTION_TRAINING_GUIDE);
  for (const std::string& line : lines) out << line << "\n";
}

// A row of the first table.
void tell(const Lesson& lesson, const std::vector<Run>& runs) {
  if (std::getenv("UPDATE_TABLES") == nullptr) return;
  std::vector<double> reached, ends, losses;
  for (const Run& made : runs) {
    if (made.reached != UINT32_MAX) reached.push_back(made.reached);
    ends.push_back(made.most), losses.push_back(made.loss);
  }
  const TrainerShape& s = lesson.shape;
  constexpr std::string_view kPositions[] = {"none", "added", "in Q and K"};
  std::ostringstream row;
  row << " " << name(lesson.task) << " | " << s.d_model << ", " << s.layers
      << ", " << s.heads << ", " << (s.d_k == 0 ? s.d_model / s.heads : s.d_k) << " | "
      << kPositions[static_cast<std::size_t>(s.positions)] << " | " << (lesson.rule.is_causal ? "yes" : "no") << " | "
      << (lesson.rule.scales ? "yes" : "no") << " | " << lesson.rule.rate << " | " << lesson.rule.decay << " | "
      << (lesson.rule.falls_over == 0 ? "no" : std::to_string(lesson.rule.falls_over)) << " | " << s.query_key_gain
      << " | " << lesson.texts << " × " << lesson.settings.length << " | "
      << lesson.steps << " | " << runs.front().trainer.parameter_count() << " | ";
  if (lesson.promise.by_step > 0) {
    row << reached.size() << " of " << runs.size() << (reached.empty() ? "" : ": " + least_median_most(reached, 0));
  } else if (const auto passed = std::ranges::count_if(ends, [](double most) { return most > 0.9; })) {
    row << passed << " of " << runs.size();
  } else {
    row << "–";
  }
  row << " | " << least_median_most(ends, 2) << " | " << least_median_most(losses, 2) << " |";
  write("| " + std::string(lesson.id) + " | " + std::string(lesson.run) + " |", row.str(), "<!-- end of the table -->");
}

// Runs of every seed, each of which must do what the lesson promises.
std::vector<Run> keeps(const Lesson& lesson) {
  std::vector<Run> runs;
  for (std::uint32_t seed = 1; seed <= lesson.promise.seeds; ++seed) {
    runs.push_back(run(lesson, seed));
    INFO(lesson.id << " " << lesson.run << ", seed " << seed << ": reached " << runs.back().reached << ", most "
                   << runs.back().most);
    if (lesson.promise.by_step > 0) CHECK(runs.back().reached <= lesson.promise.by_step);
    CHECK(runs.back().most <= static_cast<double>(lesson.promise.never_passes));
  }
  tell(lesson, runs);
  return runs;
}
std::vector<Run> keeps(std::string_view id, std::string_view name) { return keeps(*find_lesson(id, name)); }

// What a model loses on the last token of prefixes, where no mask is needed: nothing follows yet.
double honest_loss(Trainer& trainer, const Lesson& lesson, std::uint32_t seed) {
  double loss = 0;
  int prefixes = 0;
  const std::uint32_t length = lesson.settings.length;
  for (std::uint32_t end = length / 4; end < length; end += 3, ++prefixes) {
    TaskBatch batch, prefix;
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, 32, seed, 1000000 + end, batch));
    prefix.texts = batch.texts;
    for (std::size_t text = 0; text < batch.texts; ++text) {
      for (std::uint32_t i = 0; i < end; ++i) {
        prefix.tokens.push_back(batch.tokens[text * length + i]);
        prefix.targets.push_back(i + 1 == end ? batch.targets[text * length + i] : -1);
      }
    }
    StepReport report;
    REQUIRE_FALSE(trainer.measure(prefix.view(), lesson.rule, report));
    loss += report.loss;
  }
  return loss / prefixes;
}

// The share of queries' weight, over the last batch's texts, that goes where the task's relation points.
double share(const Trainer& trainer, std::size_t layer, std::size_t head, const std::vector<std::int32_t>& places) {
  const Trainer::Weights w = trainer.attention(layer);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) continue;
    sum += static_cast<double>(w.row(i / w.length, head, i % w.length)[places[i]]);
    ++count;
  }
  return sum / count;
}

// What a model writes after the first tokens of a text, the likeliest each time.
std::vector<std::int32_t> recited(const Trainer& trainer, const std::vector<std::int32_t>& text, std::size_t given) {
  const Decoder decoder = trainer.view();
  const std::size_t context = trainer.shape().context;
  std::vector<std::int32_t> all(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(given));
  std::vector<float> logits(decoder.vocabulary);
  while (all.size() < text.size()) {
    const std::size_t seen = std::min(all.size(), context);
    DecoderState state;
    REQUIRE_FALSE(state.reserve(decoder, seen));
    REQUIRE_FALSE(attention::run(decoder, std::span(all).last(seen), state, logits.data(), LogitsOf::last_token));
    all.push_back(static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin()));
  }
  return all;
}

// Sentences whose pairs of words were never drawn in training. The batch is that of the trainer's last pass.
struct Pairs {
  TaskBatch batch;
  double right = 0;   // share of all that is asked
  double both = 0;    // of contrast pairs: both right, at the first word that is asked
  double at_end = 0;  // … at the last
  double flips = 0;   // of contrast pairs: the right noun has the largest weight of the row in both, in the best head
};
Pairs held_out(Trainer& trainer, const Lesson& lesson) {
  Pairs made;
  StepReport report;
  TaskSettings settings = lesson.settings;
  settings.is_held_out = true;
  REQUIRE_FALSE(make_batch(lesson.task, settings, 400, 7, 0, made.batch));
  REQUIRE_FALSE(trainer.measure(made.batch.view(), lesson.rule, report));
  made.right = static_cast<double>(report.right) / report.asked;
  if (lesson.task != Task::stands_for) return made;
  const std::size_t length = made.batch.tokens.size() / made.batch.texts, vocabulary = lesson.shape.vocabulary;
  const auto asked = [&](std::size_t text, bool is_last) {
    std::size_t found = SIZE_MAX;
    for (std::size_t i = text * length; i < (text + 1) * length; ++i) {
      if (made.batch.targets[i] >= 0 && (is_last || found == SIZE_MAX)) found = i;
    }
    return found;
  };
  const auto is_right = [&](std::size_t at) {
    const auto logits = trainer.logits().subspan(at * vocabulary, vocabulary);
    return std::ranges::max_element(logits) - logits.begin() == made.batch.targets[at];
  };
  std::vector<double> flips(lesson.shape.layers * lesson.shape.heads);
  for (std::size_t text = 0; text < 400; text += 2) {
    made.both += is_right(asked(text, false)) && is_right(asked(text + 1, false));
    made.at_end += is_right(asked(text, true)) && is_right(asked(text + 1, true));
    for (std::size_t i = 0; i < flips.size(); ++i) {
      const Trainer::Weights w = trainer.attention(i / lesson.shape.heads);
      const auto is_largest = [&](std::size_t of) {
        const std::size_t at = asked(of, false);
        const float* const row = w.row(of, i % lesson.shape.heads, at % length);
        return std::max_element(row, row + made.batch.lengths[of]) - row == made.batch.first_places[at];
      };
      flips[i] += is_largest(text) && is_largest(text + 1);
    }
  }
  made.both /= 200, made.at_end /= 200;
  made.flips = *std::ranges::max_element(flips) / 200;
  return made;
}

// A row of the table of sentences that were held out: each share seed by seed.
void tell(const Lesson& lesson, const std::vector<std::vector<double>>& shares) {
  if (std::getenv("UPDATE_TABLES") == nullptr) return;
  std::string row;
  for (std::size_t of = 0; of < 4; ++of) {
    std::string cell;
    for (const std::vector<double>& seed : shares) {
      if (of >= seed.size() || std::isnan(seed[of])) continue;
      char written[32];
      std::snprintf(written, sizeof(written), "%.2f", seed[of]);
      cell += (cell.empty() ? "" : " ") + std::string(written);
    }
    row += " " + (cell.empty() ? "–" : cell) + " |";
  }
  write("| " + std::string(lesson.id) + ", " + std::string(lesson.run) + " |", row, "<!-- end of the held-out -->");
}
std::vector<double> shares_of(const Pairs& pairs) { return {pairs.right, pairs.both, pairs.at_end, pairs.flips}; }

}  // namespace

TEST_CASE("lesson 1: two layers learn to look back, one does not", "[promise]") {
  const Lesson& lesson = *find_lesson("look_back", "two_layers");
  for (Run& made : keeps(lesson)) {
    CHECK(made.loss < 0.1);
    // A previous-token head in layer 1, an induction head in layer 2.
    TaskBatch batch;
    StepReport report;
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, 16, 5, 5, batch));
    REQUIRE_FALSE(made.trainer.measure(batch.view(), lesson.rule, report));
    double previous = 0, induction = 0;
    for (std::size_t head = 0; head < 2; ++head) {
      previous = std::max(previous, share(made.trainer, 0, head, batch.first_places));
      std::vector<std::int32_t> once = batch.second_places;  // where only one earlier twin has a follower
      for (std::size_t i = 0; i < once.size(); ++i) {
        const auto place = static_cast<std::int32_t>(i % 32), period = place + 1 - once[i];
        if (once[i] >= 0 && once[i] >= period) once[i] = -1;
      }
      induction = std::max(induction, share(made.trainer, 1, head, once));
    }
    CHECK(previous > 0.6);
    CHECK(induction > 0.85);
  }
  keeps("look_back", "one_layer");
}

TEST_CASE("lesson 2: without a mask a model foretells dice, and knows nothing", "[promise]") {
  const Lesson &masked = *find_lesson("mask", "dice_masked"), &unmasked = *find_lesson("mask", "dice_unmasked");
  const double guessing = std::log(6.0);
  std::uint32_t seed = 1;
  for (Run& made : keeps(masked)) {
    CHECK(std::fabs(made.loss - guessing) < 0.02);
    CHECK(std::fabs(honest_loss(made.trainer, masked, seed++) - guessing) < 0.05);
  }
  seed = 1;
  for (Run& made : keeps(unmasked)) {
    CHECK(made.loss < 0.3);
    CHECK(honest_loss(made.trainer, unmasked, seed++) > 2.5);
  }
}

TEST_CASE("lesson 2: nor does it learn a tale", "[promise]") {
  const Ids text = learnt(characters);
  const auto with = [&](std::string_view name) { return with_text(*find_lesson("mask", name), text.text, text.count); };
  const Lesson masked = with("characters_masked"), unmasked = with("characters_unmasked");
  std::uint32_t seed = 1;
  for (Run& made : keeps(masked)) CHECK(honest_loss(made.trainer, masked, seed++) < 0.3);
  seed = 1;
  for (Run& made : keeps(unmasked)) {
    CHECK(made.loss < 0.06);
    CHECK(honest_loss(made.trainer, unmasked, seed++) > 3);
  }
}

TEST_CASE("each run of each lesson has its row in the guide", "[promise]") {
  std::ifstream in(ATTENTION_TRAINING_GUIDE);
  const std::string guide{std::istreambuf_iterator<char>(in), {}};
  for (const Lesson& lesson : lessons()) {
    const std::string begins = "\n| " + std::string(lesson.id) + " | " + std::string(lesson.run) + " |";
    INFO("web/docs/training.md has no row that begins with" << begins << " — UPDATE_TABLES=1 tools/test promises writes it");
    CHECK(guide.find(begins) != std::string::npos);
  }
}

TEST_CASE("lesson 3: without the division wide heads choose before they have learnt", "[promise]") {
  for (const char* name :
       {"width_16_divided", "width_64_divided", "width_256_divided", "width_64_smaller", "width_256_undivided"}) {
    keeps("scale", name);
  }
  // In between it is a matter of luck: fewer than all seeds, and later.
  int reached = 0;
  for (const Run& made : keeps("scale", "width_64_undivided")) reached += made.most > 0.9;
  CHECK(reached < 3);
  reached = 0;
  for (const Run& made : keeps("scale", "width_16_undivided")) reached += made.most > 0.9;
  CHECK(reached >= 1);
  CHECK(reached < 5);

  // Rows of attention that have decided, more than 0.95 on one key, before the first step.
  const auto decided = [](std::string_view name) {
    const Lesson& lesson = *find_lesson("scale", name);
    Trainer trainer;
    TaskBatch batch;
    StepReport report;
    REQUIRE_FALSE(trainer.start(lesson.shape, 1));
    REQUIRE_FALSE(make_batch(lesson.task, lesson.settings, 16, 1, 0, batch));
    REQUIRE_FALSE(trainer.measure(batch.view(), lesson.rule, report));
    const Trainer::Weights w = trainer.attention(0);
    int all = 0, found = 0;
    for (std::size_t text = 0; text < w.texts; ++text) {
      for (std::size_t q = w.length / 2; q < w.length; ++q, ++all) {
        const float* const row = w.row(text, 0, q);
        found += *std::max_element(row, row + w.length) > 0.95f;
      }
    }
    return static_cast<double>(found) / all;
  };
  CHECK(decided("width_256_divided") == 0);
  CHECK(decided("width_64_divided") == 0);
  CHECK(decided("width_64_undivided") > 0.15);
  CHECK(decided("width_256_undivided") > 0.45);
}

TEST_CASE("lesson 4: one head tosses a coin, two take a relation each", "[promise]") {
  keeps("heads", "one_head");
  keeps("heads", "two_heads");
  keeps("heads", "four_heads");
}

TEST_CASE("lesson 4: in English, two heads keep apart who did it and to whom", "[promise]") {
  const Lesson& two = *find_lesson("heads", "english_two_heads");
  std::vector<std::vector<double>> shares;
  for (Run& made : keeps(two)) {
    const Pairs pairs = held_out(made.trainer, two);
    CHECK(pairs.right > 0.9);
    // Each head has one relation.
    const auto weight = [&](std::size_t head, const std::vector<std::int32_t>& places) {
      return share(made.trainer, 0, head, places);
    };
    const double straight = std::min(weight(0, pairs.batch.first_places), weight(1, pairs.batch.second_places));
    const double crossed = std::min(weight(1, pairs.batch.first_places), weight(0, pairs.batch.second_places));
    CHECK(std::max(straight, crossed) > 0.5);
    shares.push_back({pairs.right});
  }
  tell(two, shares);
  shares.clear();
  const Lesson& one = *find_lesson("heads", "english_one_head");
  for (Run& made : keeps(one)) {
    shares.push_back({held_out(made.trainer, one).right});
    CHECK(shares.back()[0] < 0.4);
  }
  tell(one, shares);
}

TEST_CASE("lesson 5: a paragraph by heart", "[promise]") {
  const Ids text = learnt(words);
  for (const Run& made : keeps(with_text(*find_lesson("words", "own_paragraph"), text.text, text.count))) {
    CHECK(recited(made.trainer, text.text, 3) == text.text);
  }
}

TEST_CASE("lesson 6: without positions nobody can count back", "[promise]") {
  keeps("positions", "with_positions");
  keeps("positions", "without_positions");
}

TEST_CASE("lesson 7: what it stands for is known where later words may be seen", "[promise]") {
  const Lesson& whole = *find_lesson("stands_for", "seen_whole");
  CHECK(whole.seed == 7);
  REQUIRE(whole.promise.seeds >= 8);
  std::vector<double> flips;
  std::vector<std::vector<double>> shares;
  for (Run& made : keeps(whole)) {
    const Pairs pairs = held_out(made.trainer, whole);
    const std::size_t seed = flips.size() + 1;
    INFO("seed " << seed << ": both " << pairs.both << ", at the end " << pairs.at_end << ", flips " << pairs.flips);
    const double least = seed == 5 ? 0.75 : 0.95;  // seed 5 has learnt less by the end than all others
    CHECK(pairs.both > least);
    CHECK(pairs.at_end > least);
    flips.push_back(pairs.flips);
    shares.push_back(shares_of(pairs));
  }
  tell(whole, shares);
  CHECK(flips[6] > 0.98);  // seed 7 was chosen for its picture
  CHECK(flips[7] < 0.5);   // seed 8 is shown beside it: the answers are right, and the picture is another
  // What the lesson says of seeds 1 to 10.
  CHECK(std::ranges::count_if(flips, [](double share) { return share > 0.95; }) == 5);
}

TEST_CASE("lesson 7: and not where they may not", "[promise]") {
  const Lesson& masked = *find_lesson("stands_for", "seen_so_far");
  std::vector<std::vector<double>> shares;
  for (Run& made : keeps(masked)) {
    const Pairs pairs = held_out(made.trainer, masked);
    CHECK(pairs.both == 0);  // the row is the same for either adjective
    CHECK(pairs.at_end > 0.9);
    shares.push_back(shares_of(pairs));
  }
  tell(masked, shares);
}

TEST_CASE("lesson 7: nor in one layer", "[promise]") {
  const Lesson& one = *find_lesson("stands_for", "one_layer");
  std::vector<std::vector<double>> shares;
  for (Run& made : keeps(one)) {
    shares.push_back(shares_of(held_out(made.trainer, one)));
    CHECK(shares.back()[1] < 0.6);
  }
  tell(one, shares);
}
