#include "train/draws.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace attention {

namespace words {

namespace {

using Word = std::string_view;
using List = std::string_view;  // words by spaces; ',' joins those that are drawn together

constexpr List kAnimals = "animal dog cat horse cow goat fox wolf bear lion mouse rabbit turtle child robot pony";
constexpr List kPlaces = "street river road bridge field lake park valley tunnel desert forest path";
constexpr List kThings = "trophy suitcase box bag ball bottle piano book lamp vase drum basket";
constexpr List kOfAnimals = "tired hungry scared lazy sleepy thirsty sick nervous";
constexpr List kOfPlaces = "wide long dark busy dangerous steep crowded wet";
constexpr List kOfThings = "heavy old dirty expensive fragile broken empty sharp";
constexpr List kBig = "big large huge bulky", kSmall = "small tiny narrow short";
constexpr List kSlow = "slow clumsy tired sleepy", kFast = "fast quick clever agile";
constexpr List kWeak = "weak young sick tired", kHeavy = "heavy large fat big";

constexpr List kBefore = "black old little white poor brown";
constexpr List kBeside = "near behind beside";
constexpr List kBecause = "because since as", kWas = "was looked seemed", kVery = "too very so";
constexpr List kOpenings = "yesterday one,day in,the,morning at,night";
constexpr List kLater = "in,the,rain near,the,house after,lunch";

// A sentence: words, and marks for what is drawn. 1 and 2 are the nouns, V one of `verbs`, @ because, ~ was,
// ! very or nothing, * the adjective, + a closing or nothing.
struct Frame {
  std::string_view form;
  List verbs;
  List nouns[2];       // of 1 and of 2
  List adjectives[2];  // those that speak of 1, and of 2
};

// A word's class tells the noun in the first eight, in the others the noun's part in what happens alone: both
// are of one class. Without those a sum of words would do, and nothing would have to be looked at.
constexpr Frame kStandsFor[] = {
    {"the 1 didn't V the 2 + @ it ~ ! * .", "cross enter like", {kAnimals, kPlaces}, {kOfAnimals, kOfPlaces}},
    {"the 1 V the 2 + @ it ~ ! * .", "avoided left crossed", {kAnimals, kPlaces}, {kOfAnimals, kOfPlaces}},
    {"the 2 V the 1 + @ it ~ ! * .", "worried stopped bothered", {kAnimals, kPlaces}, {kOfAnimals, kOfPlaces}},
    {"the 2 was V by the 1 + @ it ~ ! * .", "avoided left crossed", {kAnimals, kPlaces}, {kOfAnimals, kOfPlaces}},
    {"@ it ~ ! * , the 1 didn't V the 2 + .", "cross enter like", {kAnimals, kPlaces}, {kOfAnimals, kOfPlaces}},
    {"the 1 V the 2 + @ it ~ ! * .", "dropped carried pushed", {kAnimals, kThings}, {kOfAnimals, kOfThings}},
    {"the 2 was V by the 1 + @ it ~ ! * .", "dropped carried pushed", {kAnimals, kThings}, {kOfAnimals, kOfThings}},
    {"the 2 V the 1 + @ it ~ ! * .", "hurt bothered stopped", {kAnimals, kThings}, {kOfAnimals, kOfThings}},
    {"the 1 didn't fit V the 2 + @ it ~ ! * .", "in into inside", {kThings, kThings}, {kBig, kSmall}},
    {"@ it ~ ! * , the 1 didn't fit V the 2 + .", "in into inside", {kThings, kThings}, {kBig, kSmall}},
    {"the 1 couldn't V the 2 + @ it ~ ! * .", "catch follow", {kAnimals, kAnimals}, {kSlow, kFast}},
    {"the 1 couldn't V the 2 + @ it ~ ! * .", "lift carry", {kAnimals, kAnimals}, {kWeak, kHeavy}},
};
// 1 did it, and to 2.
constexpr Frame kWho[] = {
    {"the 1 V the 2 + .", "bit chased saw helped found followed", {kAnimals, kAnimals}, {}},
    {"the 2 was V by the 1 + .", "bitten chased seen helped found followed", {kAnimals, kAnimals}, {}},
};

template <class Visit>
void each(List list, Visit visit) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(" ,"), list.size());
    visit(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

bool is_mark(Word word) { return word.size() == 1 && std::string_view("12V+@~!*").find(word) != Word::npos; }

std::vector<Word> all_words() {
  std::vector<Word> all;
  const auto add = [&](Word word) {
    if (!is_mark(word) && std::ranges::find(all, word) == all.end()) all.push_back(word);
  };
  for (const List list : {kAnimals, kPlaces, kThings, kOfAnimals, kOfPlaces, kOfThings, kBig, kSmall, kSlow, kFast, kWeak,
                          kHeavy, kBefore, kBeside, kBecause, kWas, kVery, kOpenings, kLater}) {
    each(list, add);
  }
  for (const std::span<const Frame> frames : {std::span<const Frame>(kStandsFor), std::span<const Frame>(kWho)}) {
    for (const Frame& frame : frames) each(frame.form, add), each(frame.verbs, add);
  }
  // "," joins in lists and stands for itself in a form, where it is followed by a space.
  add(",");
  std::erase(all, Word());
  return all;
}
const std::vector<Word>& table() {
  static const std::vector<Word> kAll = all_words();
  return kAll;
}

std::uint32_t count(List list) { return 1 + static_cast<std::uint32_t>(std::ranges::count(list, ' ')); }
Word item(List list, std::uint32_t n) {
  for (; n > 0; --n) list.remove_prefix(list.find(' ') + 1);
  return list.substr(0, list.find(' '));
}
Word one_of(List list, Draws& draws) { return item(list, draws.below(count(list))); }

// A quarter of all pairs of words is held out, and those of the well-known sentences.
bool is_held_out(Word a, Word b, bool has_order) {
  constexpr std::string_view kAlways[] = {"animal street", "animal tired", "street wide", "suitcase trophy",
                                          "trophy big",    "suitcase small", "cat dog",   "dog slow", "cat fast"};
  if (!has_order && b < a) std::swap(a, b);
  const std::string pair = std::string(a) + " " + std::string(b);
  return std::ranges::find(kAlways, pair) != std::end(kAlways) || token_hash(pair) % 4 == 0;
}

class Sentence {
 public:
  Sentence(const Text& text) : text_(text) {}

  std::int32_t next() const { return id(size_); }
  // One word, or several by commas.
  void add(Word words) {
    if (words == ",") return add_one(words);
    each(words, [&](Word word) { add_one(word); });
  }
  static std::int32_t id_of(Word word) { return id(static_cast<std::size_t>(std::ranges::find(table(), word) - table().begin())); }

 private:
  void add_one(Word word) { text_.x[size_++] = id_of(word); }

  const Text& text_;
  std::size_t size_ = 0;
};

struct Drawn {
  Word nouns[2], adjective, other_adjective;  // the latter speaks of the other noun
  std::uint32_t answer;                       // 0 or 1
};

Drawn draw(const Frame& frame, bool held_out, bool has_order, Draws& draws) {
  for (;;) {
    const Word first = one_of(frame.nouns[0], draws), second = one_of(frame.nouns[1], draws);
    if (first == second || is_held_out(first, second, has_order) != held_out) continue;
    Drawn made{{first, second}, {}, {}, draws.below(2)};
    if (frame.adjectives[0].empty()) return made;
    const auto adjective = [&](std::uint32_t of) { return one_of(frame.adjectives[of], draws); };
    made.adjective = adjective(made.answer);
    made.other_adjective = adjective(1 - made.answer);
    const bool is_new = is_held_out(made.nouns[made.answer], made.adjective, true);
    const bool is_other_new = is_held_out(made.nouns[1 - made.answer], made.other_adjective, true);
    if (held_out ? is_new && is_other_new : !is_new) return made;
  }
}

struct Places {
  std::int32_t nouns[2] = {-1, -1}, it = -1, adjective = -1, verb = -1, end = -1;
};

// "the" stands already: a word before the noun, and another of its class after it.
void add_noun(Sentence& sentence, const Frame& frame, const Drawn& drawn, std::uint32_t n, Draws& draws, Places& places) {
  if (draws.below(5) == 0) sentence.add(one_of(kBefore, draws));
  places.nouns[n] = sentence.next();
  sentence.add(drawn.nouns[n]);
  if (draws.below(10) >= 3) return;
  sentence.add(one_of(kBeside, draws));
  sentence.add("the");
  Word other;
  do {
    other = one_of(frame.nouns[n], draws);
  } while (other == drawn.nouns[0] || other == drawn.nouns[1]);
  sentence.add(other);
}

Places write(const Frame& frame, const Drawn& drawn, Draws& draws, const Text& text) {
  Sentence sentence(text);
  Places places;
  if (draws.below(3) > 0) sentence.add(one_of(kOpenings, draws));
  List form = frame.form;
  for (std::uint32_t left = count(form), i = 0; i < left; ++i) {
    const Word word = item(form, i);
    if (word == "it") places.it = sentence.next();
    if (word == ".") places.end = sentence.next();
    if (!is_mark(word)) {
      sentence.add(word);
      continue;
    }
    switch (word[0]) {
      case '1': add_noun(sentence, frame, drawn, 0, draws, places); break;
      case '2': add_noun(sentence, frame, drawn, 1, draws, places); break;
      case 'V': places.verb = sentence.next(), sentence.add(one_of(frame.verbs, draws)); break;
      case '@': sentence.add(one_of(kBecause, draws)); break;
      case '~': sentence.add(one_of(kWas, draws)); break;
      case '!': if (draws.below(4) > 0) sentence.add(one_of(kVery, draws)); break;
      case '+': if (draws.below(2) > 0) sentence.add(one_of(kLater, draws)); break;
      case '*': places.adjective = sentence.next(), sentence.add(drawn.adjective); break;
    }
  }
  text.read = static_cast<std::uint32_t>(sentence.next());
  return places;
}

}  // namespace

std::uint32_t vocabulary() { return static_cast<std::uint32_t>(table().size()); }

void stands_for(const TaskSettings& s, Draws& draws, const Text& t) {
  const Frame& frame = kStandsFor[draws.below(static_cast<std::uint32_t>(std::size(kStandsFor)))];
  Drawn drawn = draw(frame, s.is_held_out, false, draws);
  if (s.is_held_out && t.is_odd) {
    std::swap(drawn.adjective, drawn.other_adjective);
    drawn.answer = 1 - drawn.answer;
  }
  const Places places = write(frame, drawn, draws, t);
  const std::int32_t answer = Sentence::id_of(drawn.nouns[drawn.answer]);
  for (const std::int32_t asked : {places.it, s.asks_at_end ? places.end : places.it}) {
    const auto at = static_cast<std::size_t>(asked);
    t.y[at] = answer;
    t.first_places[at] = places.nouns[drawn.answer];
    t.second_places[at] = places.adjective;
  }
}

void who(const TaskSettings& s, Draws& draws, const Text& t) {
  const Frame& frame = kWho[draws.below(static_cast<std::uint32_t>(std::size(kWho)))];
  const Drawn drawn = draw(frame, s.is_held_out, true, draws);
  const Places places = write(frame, drawn, draws, t);
  const auto at = static_cast<std::size_t>(places.verb);
  for (std::size_t slot = 0; slot < 2; ++slot) t.y[2 * at + slot] = Sentence::id_of(drawn.nouns[slot]);
  t.first_places[at] = places.nouns[0];
  t.second_places[at] = places.nouns[1];
}

}  // namespace words

std::span<const std::string_view> task_words() { return words::table(); }

}  // namespace attention
