#include "attention/workers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "attend_paths.h"
#include "checks.h"
#include "shared_work.h"

namespace attention {

namespace {

// To wake a thread takes longer than what a decoder does between two calls: look for work for a while before sleeping.
#ifdef __EMSCRIPTEN__
constexpr int kLooks = 50'000;  // tens of microseconds, without yield(): each call of it asks the page's clock
void between_looks() {}
#else
constexpr int kLooks = 200;
void between_looks() { std::this_thread::yield(); }
#endif

}  // namespace

struct Workers::Pool {
  std::mutex mutex;
  std::condition_variable start, done;
  std::vector<Buffer> scratch;
  std::vector<std::thread> threads;

  // Of the call at hand, all changed under the mutex alone: tasks are few and long.
  Task task = nullptr;
  void* context = nullptr;
  std::size_t tasks = 0;
  std::atomic<std::size_t> left = 0, running = 0;  // tasks that no thread has taken, and those at work
  bool is_closing = false;

  Asked asked = nullptr;
  void* asked_context = nullptr;
  std::atomic<bool> is_alone = false;  // then the caller takes all further tasks: nobody waits for those that rest

  bool may_take(std::size_t worker) const { return left > 0 && (worker == 0 || !is_alone); }

  // By the caller, without the mutex.
  bool ask() const { return asked != nullptr && asked(asked_context); }

  // With the mutex.
  void go_on(bool alone) {
    const bool wakes = is_alone && !alone && left > 1;
    is_alone = alone;
    if (wakes) start.notify_all();
  }

  void work(std::size_t worker, std::unique_lock<std::mutex>& lock) {
    while (may_take(worker)) {
      const std::size_t i = tasks - left--;
      ++running;
      lock.unlock();
      task(context, i, worker);
      const bool alone = worker == 0 && left > 0 && ask();
      lock.lock();
      --running;
      if (worker == 0) go_on(alone);
    }
    if (running == 0) done.notify_all();
  }

  void wait_for_work(std::size_t worker) {
    std::unique_lock lock(mutex);
    while (true) {
      look_for(lock, [&] { return may_take(worker); });
      start.wait(lock, [&] { return is_closing || may_take(worker); });
      if (is_closing) return;
      work(worker, lock);
    }
  }

  template <class Condition>
  static void look_for(std::unique_lock<std::mutex>& lock, Condition is_met) {
    lock.unlock();
    for (int looks = 0; looks < kLooks && !is_met(); ++looks) between_looks();
    lock.lock();
  }

  // False where the system gives no further thread.
  bool add_thread(std::size_t worker) {
#ifdef __cpp_exceptions
    try {
      threads.emplace_back([this, worker] { wait_for_work(worker); });
    } catch (const std::system_error&) {
      return false;
    }
#else
    threads.emplace_back([this, worker] { wait_for_work(worker); });
#endif
    return true;
  }
};

Workers::Workers(std::size_t count) : pool_(std::make_unique<Pool>()) {
  constexpr std::size_t kMost = 256;
  count = std::clamp<std::size_t>(count, 1, kMost);
  pool_->scratch.resize(count);  // before any thread looks at it
  while (pool_->threads.size() + 1 < count && pool_->add_thread(pool_->threads.size() + 1)) {
  }
}

Workers::~Workers() { end_threads(); }

void Workers::end_threads() {
  {
    const std::lock_guard lock(pool_->mutex);
    pool_->is_closing = true;
  }
  pool_->start.notify_all();
  for (std::thread& thread : pool_->threads) thread.join();
  pool_->threads.clear();
}

std::size_t Workers::count() const { return pool_->threads.size() + 1; }

void Workers::ask(Asked is_alone, void* context) {
  pool_->asked = is_alone;
  pool_->asked_context = context;
}

Buffer& Workers::scratch(std::size_t worker) { return pool_->scratch[worker]; }

void Workers::run(std::size_t tasks, Task task, void* context) {
  Pool& pool = *pool_;
  const bool alone = pool.ask();
  std::unique_lock lock(pool.mutex);
  pool.is_alone = alone;
  pool.task = task;
  pool.context = context;
  pool.tasks = pool.left = tasks;
  if (tasks > 1 && !alone) pool.start.notify_all();
  pool.work(0, lock);
  Pool::look_for(lock, [&pool] { return pool.running == 0; });
  pool.done.wait(lock, [&pool] { return pool.running == 0; });
}

namespace {

// Tasks for each worker, so that none waits long for the last: causal blocks differ in length.
constexpr std::size_t kTasksEach = 4;
// Each block of queries packs the keys again: this many make that small.
constexpr std::size_t kFewestRows = 64;

struct Shared {
  const AttendProblem& problem;
  const AttendStages& stages;
  std::size_t blocks, block_rows;  // of queries
  Workers& workers;
  std::atomic<bool> is_out_of_memory = false;

  std::size_t tasks() const { return problem.query.batch * problem.key.heads * blocks; }
};

// What batch b reads of the options when its queries begin at `row`. Its masks keep their extents, by
// which their rows are found.
AttendOptions options_from(const AttendProblem& p, std::size_t b, std::size_t row, std::size_t rows) {
  AttendOptions options = p.options;
  options.offset = place_of(p.options, b, row);
  options.batch_offsets = {};
  if (!options.key_ranges.empty()) options.key_ranges = options.key_ranges.subspan(row, rows);
  if (options.mask.extents[2] != 1) {
    const std::size_t before = row * options.mask.extents[3];
    if (options.mask.allowed != nullptr) options.mask.allowed += before;
    if (options.mask.bias != nullptr) options.mask.bias += before;
  }
  return options;
}

template <class T>
Heads<T> rows_of(Heads<T> heads, std::size_t row, std::size_t rows) {
  heads.data += row * heads.row_stride;
  heads.rows = rows;
  return heads;
}

// The last queries first: with a causal mask they take longest.
void attend_task(void* context, std::size_t i, std::size_t worker) {
  Shared& shared = *static_cast<Shared*>(context);
  const AttendProblem& all = shared.problem;
  const std::size_t parts = all.query.batch * all.key.heads;
  const std::size_t b = i % parts / all.key.heads, key_head = i % all.key.heads;
  const std::size_t row = (shared.blocks - 1 - i / parts) * shared.block_rows;
  const std::size_t rows = std::min(shared.block_rows, all.query.rows - row);

  const AttendOptions options = options_from(all, b, row, rows);
  const AttendProblem problem{rows_of(all.query, row, rows),     all.key, all.value, options,
                              rows_of(all.context, row, rows), all.factor};
  const AttendPath path = path_of(problem, any(shared.stages));
  const std::uint64_t floats = path.scratch(problem);
  Buffer& scratch = shared.workers.scratch(worker);
  if (floats > SIZE_MAX / sizeof(float) || !scratch.resize(static_cast<std::size_t>(floats))) {
    shared.is_out_of_memory = true;
    return;
  }
  path.run(problem, b, key_head, scratch.floats().data(), shared.stages);
}

}  // namespace

Error attend_by_workers(Heads<const float> query, Heads<const float> key, Heads<const float> value,
                        const AttendOptions& options, Heads<float> context, const AttendStages& stages,
                        Workers& workers) {
  const AttendProblem problem{query, key, value, options, context, scale_of(options, key.width)};

  const std::size_t parts = query.batch * key.heads, T = query.rows;
  // Dropout and stages count queries from the first one, so that they stay together.
  const bool may_cut = workers.count() > 1 && options.dropout == 0 && !any(stages);
  const std::size_t wanted = may_cut ? (workers.count() * kTasksEach + parts - 1) / parts : 1;
  const std::size_t rows = std::max((T + wanted - 1) / wanted, kFewestRows);
  const std::size_t block_rows = (rows + kFewestRows - 1) / kFewestRows * kFewestRows;

  Shared shared{problem, stages, (T + block_rows - 1) / block_rows, block_rows, workers};
  if (!may_cut) {
    shared.blocks = 1;
    shared.block_rows = T;
  }
  workers.run(shared.tasks(), attend_task, &shared);
  if (shared.is_out_of_memory) {
    return error(Rule::worker_memory);
  }
  return {};
}

Error attend(Heads<const float> query, Heads<const float> key, Heads<const float> value,
             const AttendOptions& options, Heads<float> context, Workers& workers) {
  if (Error error = check_attend(query, key, value, options, context)) return error;
  if (Error error = check_results(query, key, value, options.mask, context, {})) return error;
  return attend_by_workers(query, key, value, options, context, {}, workers);
}

}  // namespace attention
