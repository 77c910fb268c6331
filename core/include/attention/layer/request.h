// The input of one run besides its settings: the words, and numbers given or set by hand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// Inverts whether `query` may look at `key`, in every head and with any mask; applied twice, nothing changes.
struct MaskEdit {
  int query = 0, key = 0;
};

// A number set by hand: `array`[row, column] of a parameter (an id of parameter_arrays()), or, with
// `array` empty, column `column` of the content row of `token`, wherever it stands.
struct Edit {
  std::string array, token;
  int row = 0, column = 0;
  float value = 0;
};

// Numbers in place of random ones, row-major: content [T, D], key_content [S, D], the stages query
// [H, T, d_k], key [H_kv, S, d_k] and value [H_kv, S, d_v] (before any rotation), or a parameter. query_norm and key_norm
// [d_k + 1] norm each head's query and key where they are made (RMSNorm): the gains, and the epsilon behind them (below 0: 0).
struct Given {
  std::string array;
  std::vector<float> numbers;
};

// Edits are applied in order, to random and given numbers. An edit whose number does not exist in this run (a later
// word, a matrix that the settings leave out) changes nothing.
struct Request {
  std::vector<std::string> tokens;  // UTF-8, in reading order
  std::optional<std::vector<std::string>> key_tokens;  // keys and values come from these; null = tokens
  std::vector<MaskEdit> mask_edits;
  std::vector<Edit> edits;
  std::vector<Given> given;

  bool is_cross() const { return key_tokens.has_value(); }
  const std::vector<std::string>& sources() const { return key_tokens ? *key_tokens : tokens; }

  // The numbers given for `array`, or null.
  const float* find_given(std::string_view array) const {
    for (const Given& g : given)
      if (g.array == array) return g.numbers.data();
    return nullptr;
  }
};

}  // namespace attention
