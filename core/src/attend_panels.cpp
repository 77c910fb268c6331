// Fused attention after Rabe and Staats (2021) and Dao et al. (2022): no (T, S) matrix is stored. Keys are processed
// in packed blocks; for each panel of queries the scores with the block, their exponentials and the weighted values
// are computed, and the sums are rescaled when a larger score is found.
#include <algorithm>
#include <array>

#include "attend_paths.h"
#include "panels.h"

namespace attention::inline ATTENTION_SET {

namespace {

using kernels::kPanel;

// The parts of the scratch memory. Sums are context rows before division.
struct Memory {
  float *keys, *values, *queries, *panel, *column, *sums;
  kernels::RunningSoftmax* softmax;  // of each panel
};

struct Sizes {
  std::uint64_t panels, block, d_k, d_v;
  explicit Sizes(const AttendProblem& p)
      : panels((p.rows() + kPanel - 1) / kPanel),
        block(kernels::whole_tiles(std::min(kKeyBlock, p.key.rows))),
        d_k(p.key.width),
        d_v(kernels::whole_panels(p.value.width)) {}
};

constexpr std::uint64_t kSoftmaxFloats = sizeof(kernels::RunningSoftmax) / sizeof(float);

Memory divide(const AttendProblem& p, float* scratch) {
  const Sizes n(p);
  const auto take = [&scratch](std::uint64_t floats) {
    float* const start = scratch;
    scratch += floats;
    return start;
  };
  return {.keys = take(n.block * n.d_k),
          .values = take(n.block * n.d_v),
          .queries = take(kPanel * n.d_k),
          .panel = take(kPanel * n.block),
          .column = take(kKeyBlock),
          .sums = take(n.panels * kPanel * n.d_v),
          .softmax = reinterpret_cast<kernels::RunningSoftmax*>(take(n.panels * kSoftmaxFloats))};
}

// Whether queries differ only in the range of keys that they see.
bool only_ranges(const AttendOptions& o) {
  return o.alibi_slopes.empty() && o.mask.bias == nullptr && o.mask.allowed == nullptr;
}

// A panel's queries, and which keys of the block at hand each may see, relative to the block.
struct Panel {
  const AttendProblem& p;
  std::size_t b, key_head, first, count;  // rows [first, first + count) of the key head
  std::size_t block, block_keys;          // keys [block, block + block_keys)
  std::array<KeyRange, kPanel> seen;
  std::size_t begin = 0, end = 0;         // the union of `seen`, from a whole tile on
  KeyRange untouched;                // whole tiles from `begin` on whose scores all queries see as they are

  std::size_t head(std::size_t q) const { return p.head_of(key_head, first + q); }
  std::size_t query(std::size_t q) const { return p.query_of(first + q); }

  Panel(const AttendProblem& problem, std::size_t batch, std::size_t key_head_index, std::size_t row,
        std::size_t key, std::size_t keys)
      : p(problem), b(batch), key_head(key_head_index), first(row),
        count(std::min(kPanel, problem.rows() - row)), block(key), block_keys(keys) {
    seen.fill({0, 0});
    std::size_t least = keys, last = 0, first_end = keys;
    for (std::size_t q = 0; q < count; ++q) {
      const KeyRange all = key_range(p.options, b, query(q), p.key.rows);
      seen[q] = {std::clamp(all.begin, block, block + keys) - block,
                 std::clamp(all.end, block, block + keys) - block};
      last = std::max(last, seen[q].begin);
      first_end = std::min(first_end, seen[q].end);
      if (seen[q].begin >= seen[q].end) continue;
      least = std::min(least, seen[q].begin);
      end = std::max(end, seen[q].end);
    }
    begin = std::min(least, end) / kernels::kTileRows * kernels::kTileRows;
    if (only_ranges(p.options) && p.options.softcap == 0 && p.options.temperature == 1) {
      leave_untouched(std::max(last, begin), first_end);
    }
  }

  // All queries see keys [from, to).
  void leave_untouched(std::size_t from, std::size_t to) {
    if (from >= to) return;
    constexpr std::size_t kTile = kernels::kTileRows;
    untouched = {kernels::whole_tiles(from - begin), (to - begin) / kTile * kTile};
    if (untouched.begin >= untouched.end) untouched = {};
  }
};

void pack_queries(const Panel& panel, float* to) {
  const auto& query = panel.p.query;
  const std::size_t q0 = panel.query(0);
  if (panel.head(0) == panel.head(panel.count - 1)) {  // one head's: evenly spaced
    kernels::pack_columns<kPanel>(to, query.row(panel.b, panel.head(0), q0), query.row_stride,
                                  panel.count, query.width);
    return;
  }
  for (std::size_t q = 0; q < kPanel; ++q) {
    const float* from = q < panel.count ? query.row(panel.b, panel.head(q), panel.query(q)) : nullptr;
    for (std::size_t d = 0; d < query.width; ++d) to[d * kPanel + q] = from ? from[d] : 0;
  }
}

// The column of query q, as the row that the policies of attend_plain.cpp take.
template <class Policy>
void with_column(const Panel& panel, std::size_t q, float* scores, float* column, Policy policy) {
  const std::size_t keys = panel.end - panel.begin;
  for (std::size_t k = 0; k < keys; ++k) column[k] = scores[k * kPanel + q];
  policy(panel.p, ScoreRow{panel.b, panel.head(q), panel.query(q), panel.block + panel.begin, keys, column});
  for (std::size_t k = 0; k < keys; ++k) scores[k * kPanel + q] = column[k];
}

// Only the ranges differ between the queries: then most panels need no masking, the others only a few cells.
void mask_ranges(const Panel& panel, float* scores) {
  for (std::size_t q = 0; q < panel.count; ++q) {
    const KeyRange seen = panel.seen[q];
    float* const column = scores + q;
    const auto fill = [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k) column[(k - panel.begin) * kPanel] = kMinusInfinity;
    };
    if (seen.begin >= seen.end) {
      fill(panel.begin, panel.end);
    } else {
      fill(panel.begin, seen.begin);
      fill(seen.end, panel.end);
    }
  }
}

void mask(const Panel& panel, float* scores, float* column) {
  if (only_ranges(panel.p.options)) {
    mask_ranges(panel, scores);
    return;
  }
  for (std::size_t q = 0; q < panel.count; ++q) with_column(panel, q, scores, column, mask_scores);
}

void attend_panel(const Panel& panel, const Memory& memory, float* sums,
                  kernels::RunningSoftmax& softmax) {
  const AttendProblem& p = panel.p;
  const std::size_t keys = panel.end - panel.begin, d_v = kernels::whole_panels(p.value.width);
  float* const scores = memory.panel;
  pack_queries(panel, memory.queries);
  kernels::panel_scores(scores, memory.keys + panel.begin * p.key.width, memory.queries, p.key.width,
                        keys, p.factor, panel.untouched, softmax);
  if (p.options.softcap > 0) kernels::softcap(scores, scores, p.options.softcap, keys * kPanel);
  mask(panel, scores, memory.column);
  if (p.options.temperature != 1) kernels::divide(scores, scores, p.options.temperature, keys * kPanel);
  kernels::raise_max(scores, {0, panel.untouched.begin}, softmax);
  kernels::raise_max(scores, {panel.untouched.end, keys}, softmax);
  kernels::panel_softmax(scores, keys, softmax);
  for (std::size_t q = 0; q < panel.count && p.options.dropout > 0; ++q) {
    with_column(panel, q, scores, memory.column, drop_weights);
  }
  kernels::panel_values(sums, d_v, scores, keys, memory.values + panel.begin * kernels::kTileCols,
                        panel.block_keys, p.value.width, softmax);
}

void write_context(const AttendProblem& p, std::size_t b, std::size_t key_head, const Memory& memory) {
  const std::size_t d_v = kernels::whole_panels(p.value.width);
  for (std::size_t r = 0; r < p.rows(); ++r) {
    const float sum = memory.softmax[r / kPanel].sum[r % kPanel];
    float* const to = p.context.row(b, p.head_of(key_head, r), p.query_of(r));
    if (sum == 0) {  // fully masked
      std::fill_n(to, p.context.width, 0.0f);
    } else {
      kernels::divide(to, memory.sums + r * d_v, sum, p.context.width);
    }
    if (!kernels::is_finite(to, p.context.width)) {
      attend_row_again(p, b, p.head_of(key_head, r), p.query_of(r), memory.column);
    }
  }
}

std::uint64_t panels_scratch(const AttendProblem& p) {
  const Sizes n(p);
  return n.block * (n.d_k + n.d_v + kPanel) + kKeyBlock + kPanel * n.d_k + n.panels * (kPanel * n.d_v + kSoftmaxFloats);
}

void attend_panels(const AttendProblem& p, std::size_t b, std::size_t key_head, float* scratch,
                   const AttendStages&) {
  const Memory memory = divide(p, scratch);
  const std::size_t S = p.key.rows, d_v = kernels::whole_panels(p.value.width);
  const auto panels = static_cast<std::size_t>(Sizes(p).panels);
  std::fill_n(memory.sums, panels * kPanel * d_v, 0.0f);
  for (std::size_t i = 0; i < panels; ++i) memory.softmax[i].clear();

  for (std::size_t block = 0; block < S; block += kKeyBlock) {
    const std::size_t keys = std::min(kKeyBlock, S - block);
    kernels::pack_keys(memory.keys, {p.key.row(b, key_head, block), keys, p.key.width, p.key.row_stride});
    kernels::pack_values(memory.values,
                         {p.value.row(b, key_head, block), keys, p.value.width, p.value.row_stride});
    for (std::size_t i = 0; i < panels; ++i) {
      const Panel panel(p, b, key_head, i * kPanel, block, keys);
      if (panel.begin < panel.end) {
        attend_panel(panel, memory, memory.sums + i * kPanel * d_v, memory.softmax[i]);
      }
    }
  }
  write_context(p, b, key_head, memory);
}

}  // namespace

AttendPath panels_path() { return {panels_scratch, attend_panels}; }

}  // namespace attention::inline ATTENTION_SET
