#include "shared_work.h"

#include <algorithm>
#include <type_traits>

#include "checks.h"

namespace attention {

namespace {

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// The rows or columns of a product, or the numbers of a GELU, in parts of whole steps. Their lengths differ by at
// most one step.
struct Parts {
  std::size_t all, step, count;

  std::size_t first(std::size_t i) const { return std::min(all, step * ceil_div(i * ceil_div(all, step), count)); }
  std::size_t size(std::size_t i) const { return first(i + 1) - first(i); }
};

// Twice as many parts as workers, or more where they would be longer than `most`; fewer where there are not so many
// steps.
Parts parts_of(std::size_t all, std::size_t step, const Workers& workers, std::size_t most = SIZE_MAX) {
  const std::size_t steps = ceil_div(all, step), least = ceil_div(steps, std::max<std::size_t>(1, most / step));
  return {all, step, std::clamp<std::size_t>(2 * workers.count(), least, steps)};
}

template <class Do>
void share(Workers& workers, std::size_t tasks, Do&& task) {
  using Bare = std::remove_reference_t<Do>;
  workers.run(tasks, [](void* context, std::size_t i, std::size_t) { (*static_cast<Bare*>(context))(i); }, &task);
}

// Below these, waking a thread costs more than it saves.
constexpr std::uint64_t kLeastProducts = 1 << 18, kLeastGelus = 1 << 14;
bool is_worth(const Workers* workers, std::uint64_t work, std::uint64_t least) {
  return workers != nullptr && workers->count() > 1 && work >= least;
}

// Milliseconds of work: whoever asks the others to rest waits no longer. A matrix that is read once is read for as
// long as kFewRows are multiplied by it.
constexpr std::size_t kMostProducts = 1 << 25, kFewRows = 8, kWholeTiles = 48, kWholeColumns = 64;  // of every width of vectors

constexpr std::size_t kFewestRows = 4 * kWholeTiles;  // that the other matrix is packed for

Linear columns_of(Linear linear, std::size_t first, std::size_t count) {
  const bool in_out = linear.layout == Layout::in_out;
  if (linear.stride == 0) linear.stride = in_out ? linear.out : linear.in;
  linear.weight = linear.weight.from(in_out ? 0 : first, in_out ? first : 0, linear.stride);
  if (linear.bias != nullptr) linear.bias += first;
  linear.out = count;
  return linear;
}

}  // namespace

void apply(const Linear& linear, const float* x, std::size_t rows, float* y, Workers* workers) {
  const std::size_t in = linear.in, out = linear.out;
  if (!is_worth(workers, std::uint64_t{rows} * in * out, kLeastProducts)) return apply(linear, x, rows, y);
  if (rows >= out) {  // each part packs the other matrix again: the longer side is cut
    const Parts parts = parts_of(rows, kWholeTiles, *workers, std::max(kMostProducts / (in * out), kFewestRows));
    share(*workers, parts.count, [&](std::size_t i) {
      apply(linear, x + parts.first(i) * in, parts.size(i), y + parts.first(i) * out);
    });
  } else {
    const Parts parts = parts_of(out, kWholeColumns, *workers, kMostProducts / (std::max(rows, kFewRows) * in));
    share(*workers, parts.count, [&](std::size_t i) {
      apply_part(columns_of(linear, parts.first(i), parts.size(i)), x, rows, y + parts.first(i), out);
    });
  }
}

void apply(const Linear& linear, const float* x, std::size_t rows, float* y, Workers& workers) {
  apply(linear, x, rows, y, &workers);
}

void apply(Gelu gelu, const float* in, std::size_t count, float* out, Workers* workers) {
  if (!is_worth(workers, count, kLeastGelus)) return apply(gelu, in, count, out);
  const Parts parts = parts_of(count, kWholeColumns, *workers);
  share(*workers, parts.count, [&](std::size_t i) {
    apply(gelu, in + parts.first(i), parts.size(i), out + parts.first(i));
  });
}

Error attend_shared(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                    const AttendOptions& options, Heads<float> context, Buffer& scratch, const AttendStages& stages,
                    Workers* workers) {
  const std::uint64_t work = product({query.batch, query.heads, query.rows, key.rows, query.width + value.width});
  if (!is_worth(workers, work, kLeastProducts)) {
    return attend_checked(query, key, value, options, context, scratch, stages);
  }
  return attend_by_workers(query, key, value, options, context, stages, *workers);
}

}  // namespace attention
