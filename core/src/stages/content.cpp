#include <algorithm>

#include "../given.h"
#include "../word_rows.h"
#include "attention/stages.h"

namespace attention {

namespace {

void edit_words(const Request& request, std::span<const std::string> tokens, std::size_t D,
                std::span<float> rows) {
  for (const Edit& edit : request.edits) {
    const auto column = static_cast<std::size_t>(edit.column);
    if (!edit.array.empty() || column >= D) continue;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t] == edit.token) rows[t * D + column] = edit.value;
    }
  }
}

void fill(const Inputs& in, std::string_view id, std::span<const std::string> tokens, std::size_t D,
          std::span<float> rows) {
  if (!copy_given(in.request, id, rows)) {
    in.words.prepare(in.settings.seed, D);
    for (std::size_t t = 0; t < tokens.size(); ++t) in.words.copy(tokens[t], rows.subspan(t * D, D));
  }
  edit_words(in.request, tokens, D, rows);
}

}  // namespace

void compute_content(const Inputs& in, Trace& t) {
  fill(in, "content", t.tokens, t.shape.D, t.content);
}

void compute_key_content(const Inputs& in, Trace& t) {
  fill(in, "key_content", t.key_tokens, t.shape.D, t.key_content);
}

}  // namespace attention
