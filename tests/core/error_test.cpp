#include "attention/error.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <type_traits>

using namespace attention;

static_assert(std::is_trivially_copyable_v<Error>, "an error allocates nothing");

TEST_CASE("every rule has a name of its own, a code and a sentence", "[errors]") {
  REQUIRE(rules().size() == kRules);
  std::set<std::string_view> names, sentences;
  for (const RuleText& line : rules().subspan(1)) {
    INFO(line.name);
    CHECK(names.insert(line.name).second);
    CHECK(sentences.insert(line.sentence).second);
    CHECK(line.code != ErrorCode::none);
    CHECK(error(line.rule).code() == line.code);
    CHECK(line.sentence.ends_with('.'));
  }
  CHECK_FALSE(Error{});
  CHECK(message(Error{}).empty());
}

TEST_CASE("a sentence says every number that its rule has, and its name", "[errors]") {
  for (const RuleText& line : rules().subspan(1)) {
    INFO(line.name);
    const std::string text = message(error(line.rule, "W_Q", {1101, 1102, 1103, 1104, 1105}));
    CHECK(text.find_first_of("{}") == text.npos);
    CHECK((text.find("W_Q") != text.npos) == (line.sentence.find("{name}") != line.sentence.npos));
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < Error::kNumbers; ++i) {
      const bool is_said = line.sentence.find(std::string("{").append(std::to_string(i))) != line.sentence.npos;
      const std::string digits = std::to_string(1101 + i), grouped = std::string("1,10").append(std::to_string(1 + i));
      CHECK((text.find(digits) != text.npos || text.find(grouped) != text.npos) == is_said);
      if (is_said) CHECK(numbers++ == i);  // none is left out before another
    }
  }
}

TEST_CASE("numbers are written as people do", "[errors]") {
  CHECK(message(error(Rule::setting_scale_factor, {-10000, 0.9496f})) ==
        "The scale factor must be a number from -10000 to 0.95.");
  CHECK(message(error(Rule::setting_softcap, {0.001f, 0.9999})) ==
        "The softcap (0 = off) must be 0, or a number from 0.001 to 1.");
  CHECK(message(error(Rule::setting_heads_divide, {12})) ==
        "The number of heads must divide d_model = 12: choose one of 1, 2, 3, 4, 6, 12.");
  CHECK(message(error(Rule::too_many_tokens, {1234567, 999})) ==
        "The text has 1,234,567 tokens; the limit is 999. Shorten the text.");
}

TEST_CASE("a name that is too long is cut between two characters", "[errors]") {
  const auto name_of = [](const std::string& name) { return std::string(error(Rule::edit_array, name).name()); };
  const std::string fits(63, 'a'), longer(64, 'a');
  CHECK(name_of(fits) == fits);
  CHECK(name_of(longer) == std::string(60, 'a') + "...");
  std::string wide = "a";
  while (wide.size() < 70) wide += "ñ";  // two bytes each, so that byte 60 is the second of one
  CHECK(name_of(wide) == wide.substr(0, 59) + "...");
}
