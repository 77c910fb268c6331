// The rules and their sentences, in one table.
#include "attention/error.h"

#include <algorithm>

#include "text.h"

namespace attention {

namespace {

constexpr RuleText kTable[] = {
    {Rule::none, "none", ErrorCode::none, ""},
    // The text and the trace of a session.
    {Rule::no_tokens, "no_tokens", ErrorCode::no_tokens,
     "There is no token to attend to. Type a word."},
    {Rule::no_key_tokens, "no_key_tokens", ErrorCode::no_tokens,
     "There is no token to attend to in the second text. Type a word."},
    {Rule::too_many_tokens, "too_many_tokens", ErrorCode::too_many_tokens,
     "The text has {0,} tokens; the limit is {1,}. Shorten the text."},
    {Rule::too_many_key_tokens, "too_many_key_tokens", ErrorCode::too_many_tokens,
     "The second text has {0,} tokens; the limit is {1,}. Shorten it."},
    {Rule::trace_limit, "trace_limit", ErrorCode::trace_too_large,
     "{0} tokens in {1} heads need {2} MB to keep every stage; the limit is {3} MB. Shorten "
     "the text or choose fewer heads."},
    {Rule::cross_trace_limit, "cross_trace_limit", ErrorCode::trace_too_large,
     "{0} by {1} tokens in {2} heads need {3} MB to keep every stage; the limit is {4} MB. "
     "Shorten the text or choose fewer heads."},
    {Rule::trace_memory, "trace_memory", ErrorCode::out_of_memory,
     "{0} tokens in {1} heads need {2} MB to keep every stage, more than is free here. Shorten "
     "the text or choose fewer heads."},
    {Rule::cross_trace_memory, "cross_trace_memory", ErrorCode::out_of_memory,
     "{0} by {1} tokens in {2} heads need {3} MB to keep every stage, more than is free here. "
     "Shorten the text or choose fewer heads."},
    {Rule::parameter_memory, "parameter_memory", ErrorCode::out_of_memory,
     "There is not enough memory for the parameters of d_model = {0}. Choose a smaller d_model "
     "or close other pages."},
    {Rule::copy_memory, "copy_memory", ErrorCode::out_of_memory,
     "There is not enough memory for a copy of {name}. Choose a smaller d_model."},
    {Rule::position_memory, "position_memory", ErrorCode::out_of_memory,
     "There is not enough memory for the positions of {0} tokens. Shorten the text or close "
     "other pages."},
    {Rule::mask_memory, "mask_memory", ErrorCode::out_of_memory,
     "There is not enough memory for the mask. Shorten the text or close other pages."},
    {Rule::cell_index, "cell_index", ErrorCode::index_out_of_range,
     "The last run has {0,} heads, {1,} queries and {2,} keys, counted from 0. Choose a cell "
     "inside."},
    {Rule::number_index, "number_index", ErrorCode::index_out_of_range,
     "The last run has {0} numbers in {name}, counted from 0. Choose one of them."},
    {Rule::number_array, "number_array", ErrorCode::index_out_of_range,
     "The last run has no numbers of this name. Choose a stage or a parameter that is present."},
    // What a request gives or sets by hand.
    {Rule::given_array, "given_array", ErrorCode::invalid_request,
     "\"{name}\" was given, but this run has no place for it. Leave it out, or change the "
     "settings that leave it out."},
    {Rule::given_vector, "given_vector", ErrorCode::invalid_request,
     "{name} must have {0} numbers; {1} were given. Give as many, or choose other settings."},
    {Rule::given_matrix, "given_matrix", ErrorCode::invalid_request,
     "{name} must have {0} x {1} = {2} numbers; {3} were given. Give as many, or choose other "
     "settings."},
    {Rule::given_tensor, "given_tensor", ErrorCode::invalid_request,
     "{name} must have {0} x {1} x {2} = {3} numbers; {4} were given. Give as many, or choose "
     "other settings."},
    {Rule::given_number, "given_number", ErrorCode::invalid_request,
     "{name}[{0}] is not a finite number. Give a finite one."},
    {Rule::edit_array, "edit_array", ErrorCode::invalid_request,
     "\"{name}\" is not a parameter that can be set by hand. Choose one of those in the schema."},
    {Rule::edit_number, "edit_number", ErrorCode::invalid_request,
     "The number set by hand in {name}, column {0}, is not finite. Set a finite one."},
    {Rule::word_edit_number, "word_edit_number", ErrorCode::invalid_request,
     "The number set by hand in the word's content, column {0}, is not finite. Set a finite "
     "one."},
    // Settings.
    {Rule::setting_d_model, "setting_d_model", ErrorCode::invalid_setting,
     "d_model must be a whole number from {0} to {1}."},
    {Rule::setting_d_k, "setting_d_k", ErrorCode::invalid_setting,
     "d_k (0 = d_model / heads) must be a whole number from {0} to {1}."},
    {Rule::setting_d_v, "setting_d_v", ErrorCode::invalid_setting,
     "d_v (0 = d_model / heads) must be a whole number from {0} to {1}."},
    {Rule::setting_heads, "setting_heads", ErrorCode::invalid_setting,
     "The number of heads must be a whole number from {0} to {1}."},
    {Rule::setting_heads_divide, "setting_heads_divide", ErrorCode::invalid_setting,
     "The number of heads must divide d_model = {0}: choose one of {0/}."},
    {Rule::setting_key_width, "setting_key_width", ErrorCode::invalid_setting,
     "d_k times the number of heads must be at most {0}."},
    {Rule::setting_value_width, "setting_value_width", ErrorCode::invalid_setting,
     "d_v times the number of heads must be at most {0}."},
    {Rule::setting_key_heads, "setting_key_heads", ErrorCode::invalid_setting,
     "The number of key heads must be a whole number from {0} to {1}."},
    {Rule::setting_key_heads_divide, "setting_key_heads_divide", ErrorCode::invalid_setting,
     "The number of key heads must divide the number of heads = {0}: choose one of {0/}."},
    {Rule::setting_mask, "setting_mask", ErrorCode::invalid_setting,
     "The setting \"mask\" must be one of {name}."},
    {Rule::setting_scale, "setting_scale", ErrorCode::invalid_setting,
     "The setting \"scale\" must be one of {name}."},
    {Rule::setting_positions, "setting_positions", ErrorCode::invalid_setting,
     "The setting \"positions\" must be one of {name}."},
    {Rule::setting_tie, "setting_tie", ErrorCode::invalid_setting,
     "The setting \"tie\" must be one of {name}."},
    {Rule::setting_scale_factor, "setting_scale_factor", ErrorCode::invalid_setting,
     "The scale factor must be a number from {0} to {1}."},
    {Rule::setting_softcap, "setting_softcap", ErrorCode::invalid_setting,
     "The softcap (0 = off) must be 0, or a number from {0} to {1}."},
    {Rule::setting_temperature, "setting_temperature", ErrorCode::invalid_setting,
     "The temperature must be 0, or a number from {0} to {1}."},
    {Rule::setting_dropout, "setting_dropout", ErrorCode::invalid_setting,
     "The dropout rate must be a number from {0} to {1}."},
    {Rule::setting_mask_number, "setting_mask_number", ErrorCode::invalid_setting,
     "The setting \"{name}\" must be a whole number from {0} to {1}."},
    {Rule::setting_tied_key_heads, "setting_tied_key_heads", ErrorCode::invalid_setting,
     "Tied queries and keys need as many key heads as heads."},
    {Rule::setting_tied_value_width, "setting_tied_value_width", ErrorCode::invalid_setting,
     "Tied values must be as wide as keys."},
    {Rule::setting_value_rank, "setting_value_rank", ErrorCode::invalid_setting,
     "The rank of W_V (0 = full) must be a whole number from {0} to {1}."},
    {Rule::setting_tied_value_rank, "setting_tied_value_rank", ErrorCode::invalid_setting,
     "Tied values have the queries' matrix, which has no rank of its own."},
    {Rule::setting_out_proj, "setting_out_proj", ErrorCode::invalid_setting,
     "Without the output projection, heads times d_v must be d_model = {0}."},
    {Rule::setting_rotary_width, "setting_rotary_width", ErrorCode::invalid_setting,
     "Rotary positions turn pairs of numbers, so d_k must be at least 2."},
    {Rule::setting_seed, "setting_seed", ErrorCode::invalid_setting,
     "The seed must be a whole number from {0} to {1}."},
    {Rule::setting_dropout_seed, "setting_dropout_seed", ErrorCode::invalid_setting,
     "The dropout seed must be a whole number from {0} to {1}."},
    // Tensors of every operator.
    {Rule::no_data, "no_data", ErrorCode::invalid_shape,
     "{name} has no data: its pointer is null."},
    {Rule::misaligned, "misaligned", ErrorCode::invalid_shape,
     "{name} is misaligned: float32 data begins at a multiple of 4 bytes."},
    {Rule::heads_empty, "heads_empty", ErrorCode::invalid_shape,
     "{name} is empty: batch, heads, rows and width must each be at least 1."},
    {Rule::heads_too_large, "heads_too_large", ErrorCode::invalid_shape,
     "{name} is larger than memory can be. Use smaller tensors."},
    {Rule::heads_stride, "heads_stride", ErrorCode::invalid_shape,
     "{name} has a stride smaller than its width."},
    {Rule::heads_overlap, "heads_overlap", ErrorCode::invalid_shape,
     "{name} has strides by which its rows overlap. Give each number a place of its own."},
    {Rule::result_overlaps, "result_overlaps", ErrorCode::invalid_shape,
     "{name} lies in memory that is still read while it is written. Give it memory of its own."},
    {Rule::rows_empty, "rows_empty", ErrorCode::invalid_shape,
     "{name} is empty: batch, rows and width must each be at least 1."},
    {Rule::rows_too_large, "rows_too_large", ErrorCode::invalid_shape,
     "{name} is larger than memory can be. Use fewer rows."},
    {Rule::linear_matrix, "linear_matrix", ErrorCode::invalid_shape,
     "{name} has no matrix: its pointer is null."},
    {Rule::linear_width, "linear_width", ErrorCode::invalid_shape,
     "{name} leads from {0} to {1} numbers; it must lead from {2} to {3}."},
    {Rule::linear_in, "linear_in", ErrorCode::invalid_shape,
     "{name} leads from {0} to {1} numbers; it must lead from {2} to at least 1."},
    {Rule::linear_stride, "linear_stride", ErrorCode::invalid_shape,
     "{name} has a stride smaller than its row of {0} numbers."},
    {Rule::linear_too_large, "linear_too_large", ErrorCode::invalid_shape,
     "{name} is larger than memory can be. Use smaller matrices."},
    {Rule::linear_scales, "linear_scales", ErrorCode::invalid_shape,
     "{name} is of int8 numbers without scales: their pointer is null. Give one scale for each row."},
    {Rule::linear_order, "linear_order", ErrorCode::invalid_shape,
     "Only an [out, in] matrix can be interleaved, and Q8_0 only in rows of whole blocks. Give {name} row after row."},
    {Rule::linear_gradients, "linear_gradients", ErrorCode::invalid_shape,
     "Gradients are made for matrices of float32, row after row. Widen the numbers of this one first."},
    {Rule::sample_top_p, "sample_top_p", ErrorCode::invalid_option,
     "top_p must be more than 0 and at most 1."},
    // attend().
    {Rule::attend_batch, "attend_batch", ErrorCode::invalid_shape,
     "query, key, value and context must have the same batch."},
    {Rule::attend_key_width, "attend_key_width", ErrorCode::invalid_shape,
     "A query has {0} numbers and a key {1}; they must be equally many."},
    {Rule::attend_key_rows, "attend_key_rows", ErrorCode::invalid_shape,
     "key and value must have the same heads and rows."},
    {Rule::attend_head_groups, "attend_head_groups", ErrorCode::invalid_shape,
     "The {0} query heads must be a multiple of the {1} key heads."},
    {Rule::attend_context, "attend_context", ErrorCode::invalid_shape,
     "context must have the query's heads and rows, and the value's width."},
    {Rule::attend_stages_too_large, "attend_stages_too_large", ErrorCode::invalid_shape,
     "A stage is larger than memory can be. Use fewer queries or keys, or keep no stages."},
    {Rule::mask_axis, "mask_axis", ErrorCode::invalid_shape,
     "The mask's axis {0} has {1} entries; it must have 1 or {2}."},
    {Rule::mask_columns, "mask_columns", ErrorCode::invalid_shape,
     "The mask has {0} columns; it must have from 1 to {1}, the number of keys."},
    {Rule::option_scale, "option_scale", ErrorCode::invalid_option,
     "scale must be a finite number."},
    {Rule::option_softcap, "option_softcap", ErrorCode::invalid_option,
     "softcap must be a finite number, 0 (off) or more."},
    {Rule::option_temperature, "option_temperature", ErrorCode::invalid_option,
     "temperature must be a finite number, 0 (arg-max) or more."},
    {Rule::option_dropout, "option_dropout", ErrorCode::invalid_option,
     "dropout must be at least 0 and less than 1."},
    {Rule::option_slope_count, "option_slope_count", ErrorCode::invalid_option,
     "alibi_slopes must have one entry a query head, or none."},
    {Rule::option_slope, "option_slope", ErrorCode::invalid_option,
     "Each ALiBi slope must be a finite number."},
    {Rule::option_offset, "option_offset", ErrorCode::invalid_option,
     "offset must lie within 2^40 of 0."},
    {Rule::option_window, "option_window", ErrorCode::invalid_option,
     "A window reaches from 0 to 2^40 keys, or is -1 for open."},
    {Rule::option_batch_offset_count, "option_batch_offset_count", ErrorCode::invalid_option,
     "batch_offsets must have one entry a batch, or none."},
    {Rule::option_batch_offset, "option_batch_offset", ErrorCode::invalid_option,
     "Each offset must lie within 2^40 of 0."},
    {Rule::option_key_range_count, "option_key_range_count", ErrorCode::invalid_option,
     "key_ranges must have one range for each query, or none."},
    {Rule::option_key_range, "option_key_range", ErrorCode::invalid_option,
     "Each key range must begin at or before its end, and end at or before {0}, the number of "
     "keys."},
    {Rule::option_key_length_count, "option_key_length_count", ErrorCode::invalid_option,
     "key_lengths must have one entry a batch, or none."},
    {Rule::option_key_length, "option_key_length", ErrorCode::invalid_option,
     "Each key length must be from 0 to {0}, the number of keys."},
    {Rule::option_misaligned, "option_misaligned", ErrorCode::invalid_option,
     "An option's list is misaligned: float32 data begins at a multiple of 4 bytes, integers at one of 8."},
    {Rule::attend_memory, "attend_memory", ErrorCode::out_of_memory,
     "There is no memory for {0} numbers in between. Use narrower heads or fewer keys."},
    {Rule::worker_memory, "worker_memory", ErrorCode::out_of_memory,
     "There is no memory for what each thread keeps in between. Use fewer threads or keys."},
    // The multi-head layer, its cache and its interventions.
    {Rule::layer_heads, "layer_heads", ErrorCode::invalid_shape,
     "The heads must be a multiple of the key heads and split query, key and value evenly, "
     "with queries as wide as keys."},
    {Rule::layer_batch, "layer_batch", ErrorCode::invalid_shape,
     "x, keys and values must have the same batch, and keys and values the same rows."},
    {Rule::layer_out_proj, "layer_out_proj", ErrorCode::invalid_shape,
     "out_proj has a bias and no matrix; give both, or neither."},
    {Rule::layer_cache, "layer_cache", ErrorCode::invalid_shape,
     "The cache must be reserved for the layer's key heads and widths, and for the input's "
     "batch."},
    {Rule::layer_rotary_rows, "layer_rotary_rows", ErrorCode::invalid_shape,
     "The rotary tables have {0} rows; these tokens reach position {1}."},
    {Rule::layer_memory, "layer_memory", ErrorCode::out_of_memory,
     "There is no memory for a layer of {0} rows. Run fewer at a time."},
    {Rule::head_gains, "head_gains", ErrorCode::invalid_option,
     "Gains are finite numbers, one for each of {0} heads. Give as many."},
    {Rule::head_patch, "head_patch", ErrorCode::invalid_option,
     "A patch is weights for a head from 0 to {0}. Name such a head."},
    {Rule::head_misaligned, "head_misaligned", ErrorCode::invalid_option,
     "Gains or a patch are misaligned: float32 data begins at a multiple of 4 bytes."},
    {Rule::cache_size, "cache_size", ErrorCode::invalid_shape,
     "A cache holds from 1 to 2^28 numbers. Choose a smaller capacity."},
    {Rule::cache_rows, "cache_rows", ErrorCode::invalid_shape,
     "New keys and values must be of the cache's batch, heads and widths, and equally many."},
    {Rule::cache_room, "cache_room", ErrorCode::invalid_shape,
     "The cache has room for {0} of {1} tokens. Reserve a larger one, or start again."},
    {Rule::cache_memory, "cache_memory", ErrorCode::out_of_memory,
     "There is no memory for a cache of {0} tokens. Choose fewer."},
    // Positions.
    {Rule::rotary_pairs, "rotary_pairs", ErrorCode::invalid_shape,
     "Rotary turns {0} pairs; a head of width {1} has from 1 to {2}."},
    {Rule::rotary_tables, "rotary_tables", ErrorCode::invalid_shape,
     "Rotary tables must both be [rows, {0}]."},
    {Rule::rotary_position_count, "rotary_position_count", ErrorCode::invalid_shape,
     "Rotary needs one table row a position, or one position a row of every batch."},
    {Rule::rotary_position, "rotary_position", ErrorCode::invalid_shape,
     "Each position must be from 0 to {0}, a row of the rotary tables."},
    {Rule::rotary_shape, "rotary_shape", ErrorCode::invalid_shape,
     "Rotary input and output must have the same shape."},
    {Rule::rotary_misaligned, "rotary_misaligned", ErrorCode::invalid_shape,
     "Rotary tables or positions are misaligned: float32 data begins at a multiple of 4 bytes, "
     "positions at one of 8."},
    {Rule::rotary_table_sizes, "rotary_table_sizes", ErrorCode::invalid_shape,
     "Rotary tables must both be [positions, rotary_dim / 2], and rotary_dim even."},
    {Rule::rotary_base, "rotary_base", ErrorCode::invalid_option,
     "The base of rotary angles is a number above 0. Use such a number."},
    {Rule::rotary_scaling, "rotary_scaling", ErrorCode::invalid_option,
     "Rotary scaling divides by a finite factor of at least 1, and its high_turns are more than its low_turns. Use such numbers."},
    {Rule::rotary_angles, "rotary_angles", ErrorCode::invalid_option,
     "Rotary angles must stay below 2^20. Use fewer positions, or a base of at least 1."},
    {Rule::position_input, "position_input", ErrorCode::invalid_shape,
     "x is empty: it needs data, and batch, rows and width of at least 1."},
    {Rule::position_table, "position_table", ErrorCode::invalid_shape,
     "The position table must be rows of {0} numbers."},
    {Rule::position_table_rows, "position_table_rows", ErrorCode::invalid_shape,
     "The position table has {0} rows; {1} rows from position {2} on do not fit. Use a longer "
     "table, or fewer tokens."},
    {Rule::position_count, "position_count", ErrorCode::invalid_shape,
     "positions must have one entry a row of every batch, or none."},
    {Rule::position_row, "position_row", ErrorCode::invalid_shape,
     "Each position must be a row of the table, which has {0}."},
    {Rule::position_misaligned, "position_misaligned", ErrorCode::invalid_shape,
     "x, table, positions or out is misaligned: float32 data begins at a multiple of 4 bytes, "
     "positions at one of 8."},
    // Blocks and decoders.
    {Rule::block_rows, "block_rows", ErrorCode::invalid_shape,
     "A block needs a d_model and rows of at least 1."},
    {Rule::norm_width, "norm_width", ErrorCode::invalid_shape,
     "{name} must have a gain, and be {0} wide, as d_model is."},
    {Rule::norm_epsilon, "norm_epsilon", ErrorCode::invalid_shape,
     "{name} has an epsilon below 0. Give 0, or more."},
    {Rule::block_attention, "block_attention", ErrorCode::invalid_shape,
     "A block's attention must lead from d_model back to d_model: give it an out_proj of {0} "
     "outputs."},
    {Rule::block_norms, "block_norms", ErrorCode::invalid_option,
     "A block cannot be parallel and have its norms last: there is one addition then, and two "
     "norms. Choose one of them."},
    {Rule::block_too_large, "block_too_large", ErrorCode::invalid_shape,
     "A block's rows are larger than memory can be. Run fewer at a time."},
    {Rule::block_memory, "block_memory", ErrorCode::out_of_memory,
     "There is no memory for {0} rows of a block. Run fewer at a time."},
    {Rule::decoder_parameters, "decoder_parameters", ErrorCode::invalid_shape,
     "A decoder needs embeddings of [vocabulary, d_model] and at least one block."},
    {Rule::decoder_block_width, "decoder_block_width", ErrorCode::invalid_shape,
     "Every block must be of the decoder's d_model, {0}."},
    {Rule::decoder_no_tokens, "decoder_no_tokens", ErrorCode::no_tokens,
     "There is no token to read. Give at least one."},
    {Rule::decoder_token, "decoder_token", ErrorCode::invalid_shape,
     "Token {0} is not in the vocabulary: tokens are from 0 to {1}."},
    {Rule::decoder_state, "decoder_state", ErrorCode::invalid_shape,
     "The state must be reserved for this decoder."},
    {Rule::decoder_stages, "decoder_stages", ErrorCode::invalid_shape,
     "Stages must be given for every block, or for none."},
    {Rule::decoder_interventions, "decoder_interventions", ErrorCode::invalid_shape,
     "Interventions must be given for every block, or for none."},
    {Rule::decoder_whole_text, "decoder_whole_text", ErrorCode::invalid_option,
     "Blocks that are not causal read a whole text at once, and the state holds {0} tokens already. "
     "Truncate it to 0 first."},
    {Rule::decoder_key_heads, "decoder_key_heads", ErrorCode::invalid_shape,
     "A block's key heads must split its keys and values evenly."},
    {Rule::decoder_memory, "decoder_memory", ErrorCode::out_of_memory,
     "There is no memory for {0} tokens at once. Read fewer at a time."},
    // Training: gradients, the trainer and its tasks.
    {Rule::gradient_shape, "gradient_shape", ErrorCode::invalid_shape,
     "{name} must have the shape of what it is the gradient of. Give such a view."},
    {Rule::gradient_bias, "gradient_bias", ErrorCode::invalid_option,
     "There is no bias that could have a gradient. Give the mask a bias, or ask for no gradient "
     "of it."},
    {Rule::train_size, "train_size", ErrorCode::invalid_option,
     "The {name} of a model to train must be a whole number from {0} to {1}."},
    {Rule::train_heads, "train_heads", ErrorCode::invalid_option,
     "The heads of a model to train must divide its d_model, {0}: choose one of {0/}."},
    {Rule::train_memory, "train_memory", ErrorCode::out_of_memory,
     "There is no memory to train {0} numbers on {1} tokens at once. Choose a smaller model or a "
     "smaller batch."},
    {Rule::train_rule, "train_rule", ErrorCode::invalid_option,
     "The {name} of a training step must be a finite number, 0 or more."},
    {Rule::train_optimizer, "train_optimizer", ErrorCode::invalid_option,
     "The optimizer of a training step must be one of {name}."},
    {Rule::train_not_started, "train_not_started", ErrorCode::invalid_option,
     "There is no model to train yet. Start one."},
    {Rule::train_batch, "train_batch", ErrorCode::invalid_shape,
     "A batch is texts of equal length, from 1 to {0} tokens, with {1} targets a token. Give as "
     "many."},
    {Rule::train_token, "train_token", ErrorCode::invalid_shape,
     "{name} {0} of a batch is not in the vocabulary: it must be from {1} to {2}."},
    {Rule::train_diverged, "train_diverged", ErrorCode::invalid_option,
     "The loss or its gradient is not a finite number after {0} steps. Lower the rate, or go back to "
     "an earlier step."},
    {Rule::train_state, "train_state", ErrorCode::invalid_shape,
     "These numbers are no saved state of this model. Restore what a trainer of the same shape "
     "has saved."},
    {Rule::task_setting, "task_setting", ErrorCode::invalid_option,
     "The {name} of this task must be a whole number from {0} to {1}."},
    {Rule::task_text, "task_text", ErrorCode::invalid_option,
     "The text to learn has {0} tokens, and this task needs more than {1}. Give a longer text, or "
     "learn shorter pieces."},
    // Tensors, layers and decoders as JavaScript gives them, which bindings/ checks.
    {Rule::js_whole, "js_whole", ErrorCode::invalid_option,
     "{name} takes whole numbers between -2^53 and 2^53. Round it."},
    {Rule::js_seed, "js_seed", ErrorCode::invalid_option,
     "{name} takes whole numbers from 0 to 4,294,967,295. Round it."},
    {Rule::js_too_small, "js_too_small", ErrorCode::invalid_option,
     "{name} is smaller than float32 can say. Use 0, or a larger number."},
    {Rule::js_tensor_is_shaped, "js_tensor_is_shaped", ErrorCode::invalid_shape,
     "This tensor has its shape already. Make another tensor."},
    {Rule::js_tensor_shape, "js_tensor_shape", ErrorCode::invalid_shape,
     "A shape is 1 to 4 whole numbers of at least 1, and at most 268,435,456 numbers in all. "
     "Use such a shape."},
    {Rule::js_tensor_memory, "js_tensor_memory", ErrorCode::out_of_memory,
     "There is no memory for this tensor. Use a smaller one."},
    {Rule::js_tensor_count, "js_tensor_count", ErrorCode::invalid_shape,
     "This tensor holds {0} numbers, not {1}. Give an array of as many as it holds."},
    {Rule::js_tensor_part, "js_tensor_part", ErrorCode::invalid_shape,
     "This tensor has no room for {1} numbers from number {2} on: it holds {0}. Give fewer, or whole rows."},
    {Rule::js_tensor_layout, "js_tensor_layout", ErrorCode::invalid_shape,
     "Only an interleaved matrix of float32, bfloat16 or float16 can be written as (in, out). Write this one as (out, in)."},
    {Rule::js_masks, "js_masks", ErrorCode::invalid_shape,
     "allowed and bias have different shapes. Give both masks the same shape."},
    {Rule::js_key_ranges, "js_key_ranges", ErrorCode::invalid_option,
     "key_ranges has two numbers of 0 or more for each query, begin and end. Give both."},
    {Rule::js_stage, "js_stage", ErrorCode::invalid_shape,
     "A kept stage is (batch, heads, queries, keys), contiguous. Make its tensor so."},
    {Rule::js_cache_sizes, "js_cache_sizes", ErrorCode::invalid_shape,
     "A cache's sizes are whole numbers of at least 1. Use such sizes."},
    {Rule::js_cache_rows, "js_cache_rows", ErrorCode::invalid_shape,
     "New keys and values are (batch, rows, heads * width), with the cache's batch, heads and "
     "widths and equally many rows. Reshape them."},
    {Rule::js_linear_rows, "js_linear_rows", ErrorCode::invalid_shape,
     "x is (rows, in) and y (rows, out) of a weight from in to out. Reshape them."},
    {Rule::js_weight, "js_weight", ErrorCode::invalid_shape,
     "A weight is a matrix. Give a tensor of two extents."},
    {Rule::js_bias, "js_bias", ErrorCode::invalid_shape,
     "A bias has a number for each output of its weight. This one has {0} for {1}. Reshape it."},
    {Rule::js_weight_part, "js_weight_part", ErrorCode::invalid_shape,
     "A part of a packed weight is 0 … parts - 1, and parts divides its outputs. Use such a "
     "part."},
    {Rule::js_rotary_tables, "js_rotary_tables", ErrorCode::invalid_shape,
     "Rotary tables are two matrices (positions, half). Reshape them."},
    {Rule::js_head_counts, "js_head_counts", ErrorCode::invalid_shape,
     "Heads are whole numbers of at least 1. Use such numbers."},
    {Rule::js_layer_parameter, "js_layer_parameter", ErrorCode::invalid_option,
     "A layer has no \"{name}\". Its parameters are query, key, value, value_down and "
     "out_proj."},
    {Rule::js_layer_result, "js_layer_result", ErrorCode::invalid_shape,
     "The result has x's batch and rows and a width of {0}. Reshape y."},
    {Rule::js_rows, "js_rows", ErrorCode::invalid_shape,
     "{name} is (batch, rows, width). Reshape it."},
    {Rule::js_result, "js_result", ErrorCode::invalid_shape,
     "The result has x's shape. Reshape it."},
    {Rule::js_norm_width, "js_norm_width", ErrorCode::invalid_shape,
     "A norm has a number for each of a row's. Reshape its gain."},
    {Rule::js_norm_bias, "js_norm_bias", ErrorCode::invalid_shape,
     "A norm's gain and bias have as many numbers. Reshape them."},
    {Rule::js_norm_epsilon, "js_norm_epsilon", ErrorCode::invalid_option,
     "A norm's epsilon is 0 or more. Use such a number."},
    {Rule::js_block_norm, "js_block_norm", ErrorCode::invalid_option,
     "A block has no \"{name}\". Its norms are norm_1 and norm_2."},
    {Rule::js_patch, "js_patch", ErrorCode::invalid_shape,
     "A head's weights are (tokens, tokens). Reshape the patch."},
    {Rule::js_changed_block, "js_changed_block", ErrorCode::invalid_option,
     "Blocks and heads count from 0, and changes are for as many blocks as the decoder has. "
     "Name such a one."},
    {Rule::js_embeddings, "js_embeddings", ErrorCode::invalid_shape,
     "Embeddings are (vocabulary, d_model). Give a tensor of two extents."},
    {Rule::js_capacity, "js_capacity", ErrorCode::invalid_option,
     "A capacity is a whole number of tokens, at least 1. Use such a number."},
    {Rule::js_logits, "js_logits", ErrorCode::invalid_shape,
     "Logits are (tokens, vocabulary), or (vocabulary) of the last token. Reshape the tensor."},
    {Rule::js_explored, "js_explored", ErrorCode::invalid_shape,
     "Embeddings are (tokens, D) and residuals (blocks, tokens, D). Reshape them."},
    {Rule::js_after, "js_after", ErrorCode::invalid_option,
     "The decoder holds {0} tokens. Read on after as many, or fewer."},
    {Rule::js_weights, "js_weights", ErrorCode::invalid_shape,
     "Weights are (blocks, heads, tokens, tokens read in all). Reshape the tensor."},
    {Rule::js_kept_heads, "js_kept_heads", ErrorCode::invalid_option,
     "Weights are kept of blocks with equally many heads. Leave them out."},
    {Rule::js_dots, "js_dots", ErrorCode::invalid_shape,
     "a and b are (rows, columns), out holds one number a row, and width is a whole number "
     "from 1 to the columns. Reshape them."},
    {Rule::js_row_facts, "js_row_facts", ErrorCode::invalid_shape,
     "facts is (rows, 3) for weights of equally many rows. Reshape it."},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    if (static_cast<std::size_t>(kTable[i].rule) != i) return false;
  }
  return std::size(kTable) == kRules;
}
static_assert(is_in_order(), "kTable has a line for each Rule, in the order of the enumerators");

// Separate from the table, so that programs that use only codes do not contain the sentences.
constexpr auto kCodes = [] {
  std::array<ErrorCode, kRules> codes{};
  for (const RuleText& line : kTable) codes[static_cast<std::size_t>(line.rule)] = line.code;
  return codes;
}();

constexpr std::string_view kCodeNames[] = {
    "none",            "no_tokens",          "too_many_tokens", "trace_too_large", "out_of_memory",
    "invalid_setting", "index_out_of_range", "invalid_shape",   "invalid_option",  "invalid_request"};
static_assert(std::size(kCodeNames) == static_cast<std::size_t>(ErrorCode::invalid_request) + 1);

// The text that replaces {part}.
std::string filled(std::string_view part, const Error& error) {
  if (part == "name") return std::string(error.name());
  const double number = error.numbers[static_cast<std::size_t>(part[0] - '0')];
  if (part.ends_with(',')) return grouped(number);
  if (part.ends_with('/')) return divisors(number);
  return decimal(number);
}

}  // namespace

std::string_view name(ErrorCode code) { return kCodeNames[static_cast<std::size_t>(code)]; }

ErrorCode Error::code() const { return kCodes[static_cast<std::size_t>(rule)]; }

Error error(Rule rule, std::initializer_list<ErrorNumber> numbers) {
  return error(rule, std::string_view(), numbers);
}

Error error(Rule rule, std::string_view name, std::initializer_list<ErrorNumber> numbers) {
  Error made;
  made.rule = rule;
  std::transform(numbers.begin(), numbers.end(), made.numbers.begin(), [](ErrorNumber n) { return n.value; });
  if (name.size() <= Error::kMaxName) {
    std::copy(name.begin(), name.end(), made.name_bytes.begin());
  } else {
    constexpr std::string_view kCut = "...";
    std::size_t kept = Error::kMaxName - kCut.size();
    while (kept > 0 && (name[kept] & 0xC0) == 0x80) --kept;  // no half of a character
    std::copy_n(name.begin(), kept, made.name_bytes.begin());
    std::copy(kCut.begin(), kCut.end(), made.name_bytes.begin() + kept);
  }
  return made;
}

std::string message(const Error& error) {
  std::string_view rest = kTable[static_cast<std::size_t>(error.rule)].sentence;
  std::string all;
  for (std::size_t open; (open = rest.find('{')) != rest.npos;) {
    const std::size_t close = rest.find('}', open);
    all.append(rest.substr(0, open));
    all.append(filled(rest.substr(open + 1, close - open - 1), error));
    rest.remove_prefix(close + 1);
  }
  all.append(rest);
  return all;
}

std::span<const RuleText> rules() { return kTable; }

}  // namespace attention
