#include "attention/workers.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace attention {

struct Workers::Pool {
  std::mutex mutex;
  std::condition_variable start, done;
  std::vector<Buffer> scratch;
  std::vector<std::thread> threads;

  // Of the call at hand, all under the mutex: tasks are few and long.
  Task task = nullptr;
  void* context = nullptr;
  std::size_t tasks = 0, next = 0, running = 0;
  bool is_closing = false;

  void work(std::size_t worker, std::unique_lock<std::mutex>& lock) {
    while (next < tasks) {
      const std::size_t i = next++;
      ++running;
      lock.unlock();
      task(context, i, worker);
      lock.lock();
      --running;
    }
    if (running == 0) done.notify_all();
  }

  void wait_for_work(std::size_t worker) {
    std::unique_lock lock(mutex);
    while (true) {
      start.wait(lock, [this] { return is_closing || next < tasks; });
      if (is_closing) return;
      work(worker, lock);
    }
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

Workers::~Workers() {
  {
    const std::lock_guard lock(pool_->mutex);
    pool_->is_closing = true;
  }
  pool_->start.notify_all();
  for (std::thread& thread : pool_->threads) thread.join();
}

std::size_t Workers::count() const { return pool_->threads.size() + 1; }

Buffer& Workers::scratch(std::size_t worker) { return pool_->scratch[worker]; }

void Workers::run(std::size_t tasks, Task task, void* context) {
  Pool& pool = *pool_;
  std::unique_lock lock(pool.mutex);
  pool.task = task;
  pool.context = context;
  pool.tasks = tasks;
  pool.next = 0;
  if (tasks > 1) pool.start.notify_all();
  pool.work(0, lock);
  pool.done.wait(lock, [&pool] { return pool.running == 0; });
  pool.tasks = pool.next = 0;
}

}  // namespace attention
