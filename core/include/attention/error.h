// Errors are values: a rule that was broken, with its numbers, for programs; and a sentence for people, made on
// request. Operators do not throw. Functions that return a std::string or std::vector (message(), the references in
// double) throw std::bad_alloc when there is no memory.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "attention/export.h"

namespace attention {

// What kind of error it is.
enum class ErrorCode : std::uint8_t {
  none,
  no_tokens,           // the token list is empty
  too_many_tokens,     // more tokens than kLimits.max_tokens
  trace_too_large,     // the stages of this run would need more than kLimits.max_trace_bytes
  out_of_memory,       // there is no memory for an allowed run
  invalid_setting,     // a setting breaks its rule
  index_out_of_range,  // a head, query or key outside the last run
  invalid_shape,       // tensors that do not fit each other, or sizes that overflow
  invalid_option,      // an option of attend() breaks its rule
  invalid_request,     // what was given or set by hand does not fit the run
};

// The code's name as the page and tests see it, e.g. "too_many_tokens".
ATTENTION_API std::string_view name(ErrorCode code);

// Every rule that can be broken. The table in error.cpp has a line for each, in this order: its name, its
// code and its sentence; web/src/text/core-sentences.ts says the same in the languages of the page.
enum class Rule : std::uint16_t {
  none,

  // The text and the trace of a session.
  no_tokens, no_key_tokens, too_many_tokens, too_many_key_tokens, trace_limit, cross_trace_limit,
  trace_memory, cross_trace_memory, parameter_memory, copy_memory, position_memory, mask_memory, cell_index,
  number_index, number_array,

  // What a request gives or sets by hand.
  given_array, given_vector, given_matrix, given_tensor, given_number, edit_array, edit_number,
  word_edit_number,

  // Settings.
  setting_d_model, setting_d_k, setting_d_v, setting_heads, setting_heads_divide,
  setting_key_width, setting_value_width, setting_key_heads, setting_key_heads_divide,
  setting_mask, setting_scale, setting_positions, setting_tie, setting_scale_factor,
  setting_softcap, setting_temperature, setting_dropout, setting_mask_number,
  setting_tied_key_heads, setting_tied_value_width, setting_value_rank, setting_tied_value_rank,
  setting_out_proj, setting_rotary_width, setting_seed, setting_dropout_seed,

  // Tensors of every operator.
  no_data, misaligned, heads_empty, heads_too_large, heads_stride, heads_overlap, result_overlaps, rows_empty, rows_too_large,
  linear_matrix, linear_width, linear_in, linear_stride, linear_too_large,
  linear_scales, linear_order, linear_gradients, sample_top_p,

  // attend().
  attend_batch, attend_key_width, attend_key_rows, attend_head_groups, attend_context,
  attend_stages_too_large, mask_axis, mask_columns, option_scale, option_softcap,
  option_temperature, option_dropout,
  option_slope_count, option_slope, option_offset, option_window, option_batch_offset_count,
  option_batch_offset, option_key_range_count, option_key_range, option_key_length_count, option_key_length, option_misaligned, attend_memory, worker_memory,

  // The multi-head layer, its cache and its interventions.
  layer_heads, layer_batch, layer_out_proj, layer_cache, layer_rotary_rows, layer_memory,
  head_gains, head_patch, head_misaligned, cache_size, cache_rows, cache_room, cache_memory,

  // Positions.
  rotary_pairs, rotary_tables, rotary_position_count, rotary_position, rotary_shape, rotary_misaligned,
  rotary_table_sizes, rotary_base, rotary_scaling, rotary_angles,
  position_input, position_table, position_table_rows, position_count, position_row,
  position_misaligned,

  // Blocks and decoders.
  block_rows, norm_width, norm_epsilon, block_attention, block_norms, block_too_large, block_memory, decoder_parameters,
  decoder_block_width, decoder_no_tokens, decoder_token, decoder_state,
  decoder_stages, decoder_interventions, decoder_whole_text, decoder_key_heads,
  decoder_memory,

  // Training: gradients, the trainer and its tasks.
  gradient_shape, gradient_bias, train_size, train_heads, train_memory, train_rule, train_optimizer,
  train_not_started, train_batch, train_token, train_diverged, train_state, task_setting, task_text,

  // Tensors, layers and decoders as JavaScript gives them, which bindings/ checks.
  js_whole, js_seed, js_too_small, js_tensor_is_shaped, js_tensor_shape, js_tensor_memory, js_tensor_count, js_tensor_part,
  js_tensor_layout,
  js_masks, js_key_ranges, js_stage, js_cache_sizes, js_cache_rows, js_linear_rows, js_weight, js_bias,
  js_weight_part, js_rotary_tables, js_head_counts, js_layer_parameter,
  js_layer_result, js_rows, js_result, js_norm_width, js_norm_bias, js_norm_epsilon, js_block_norm,
  js_patch, js_changed_block, js_embeddings, js_capacity, js_logits, js_explored, js_after, js_weights,
  js_kept_heads, js_dots, js_row_facts,
};
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::js_row_facts) + 1;

// A broken rule, and the arguments of its sentence: at most kNumbers numbers and one name, such as an array's, an
// argument's or a few ids. It allocates nothing.
struct [[nodiscard]] ATTENTION_API Error {
  static constexpr std::size_t kNumbers = 5, kMaxName = 63;

  Rule rule = Rule::none;
  std::array<char, kMaxName + 1> name_bytes{};  // zero-terminated
  std::array<double, kNumbers> numbers{};       // 0 where the rule has fewer

  explicit operator bool() const { return rule != Rule::none; }
  ErrorCode code() const;
  std::string_view name() const { return name_bytes.data(); }
};

// A number of any type, so that a list of them can be written in place.
struct ErrorNumber {
  template <class Number>
  constexpr ErrorNumber(Number number) : value(static_cast<double>(number)) {}
  double value;
};

// The one way to make an error, where a rule is found broken:
//   return error(Rule::option_softcap);
//   return error(Rule::attend_head_groups, {heads, key_heads});  // {0} and {1} of its sentence
//   return error(Rule::linear_stride, "query", {width});         // {name} and {0}
// A name longer than kMaxName bytes is cut, and ends with "...".
ATTENTION_API Error error(Rule rule, std::initializer_list<ErrorNumber> numbers = {});
ATTENTION_API Error error(Rule rule, std::string_view name, std::initializer_list<ErrorNumber> numbers = {});

// What was wrong, what the rule is and what to do, in one or two English sentences; empty if there is no error. A
// program that never calls this does not contain the sentences.
ATTENTION_API std::string message(const Error& error);

// One line of the table of rules. In `sentence`, {0} is the first number, {0,} the same with a comma between
// thousands, {0/} its divisors, and {name} the name.
struct RuleText {
  Rule rule;
  std::string_view name;
  ErrorCode code;
  std::string_view sentence;
};
ATTENTION_API std::span<const RuleText> rules();

}  // namespace attention
