// Coroutines whose frames are suspended within loops: resumed by other functions and by other
// threads, destroyed while suspended, left by an exception, and one handing over to the next. The
// comments of main say their flops for N turns.
//
//     coroutines N
#include <array>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "work.h"

namespace {

/// A generator of sums.
class Sums {
 public:
  struct promise_type {
    double value = 0.0;
    std::exception_ptr thrown;
    Sums get_return_object() {
      return Sums(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(double next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { thrown = std::current_exception(); }
  };
  explicit Sums(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Sums(Sums&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Sums(const Sums&) = delete;
  ~Sums() {
    if (handle_) handle_.destroy();
  }
  bool next() {
    handle_.resume();
    if (handle_.promise().thrown) std::rethrow_exception(handle_.promise().thrown);
    return !handle_.done();
  }
  double value() const { return handle_.promise().value; }

 private:
  std::coroutine_handle<promise_type> handle_;
};

/// 1 flop when its frame ends.
struct Counted {
  double* ended;
  explicit Counted(double* of) : ended(of) {}
  Counted(const Counted&) = delete;
  ~Counted() { *ended += 0.5; }
};

/// Of each turn: 2 `inner` flops before it is suspended and 1 behind; 1 after the last.
Sums sums(long turns, long inner, double* ended) {
  const Counted counted(ended);
  double sum = 0.0;
  for (long turn = 0; turn < turns; ++turn) {
    for (long i = 0; i < inner; ++i) sum += 0.5 * work_data[i % 64];
    co_yield sum;
    sum *= 0.25;
  }
  *ended += sum;
}

Sums throws(long turns) {
  for (long turn = 0; turn < turns; ++turn) co_yield work(3);
  throw std::runtime_error("after the last turn");
}

/// Resumes another of which it is no caller.
Sums nested(long turns, long inner, double* ended) {
  Sums below = sums(turns, inner, ended);
  while (below.next()) co_yield below.value() + 1.0;
}

[[gnu::noinline]] double next_from_below(Sums& generator, int depth) {
  if (depth > 0) return next_from_below(generator, depth - 1) + 1.0;  // 1 flop each
  return generator.next() ? generator.value() : 0.0;
}

/// A task that hands over to whoever waits for it, without a frame of the stack between.
struct Task {
  struct promise_type {
    std::coroutine_handle<> waiting = std::noop_coroutine();
    double value = 0.0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Back {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> own) noexcept {
        return own.promise().waiting;
      }
      void await_resume() noexcept {}
    };
    Back final_suspend() noexcept { return {}; }
    void return_value(double result) { value = result; }
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waits) noexcept {
    handle.promise().waiting = waits;
    return handle;
  }
  double await_resume() noexcept {
    const double result = handle.promise().value;
    handle.destroy();
    return result;
  }
};

Task piece(long n) {
  co_return work(n);
}

Task chain(long turns, long n) {
  double sum = 0.0;
  for (long turn = 0; turn < turns; ++turn) sum += co_await piece(n);
  co_return sum;
}

/// Goes on in another thread each time it is suspended.
struct Elsewhere {
  std::thread* thread;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> own) {
    std::thread* here = thread;  // this object may be gone when the other thread has begun
    *here = std::thread([own] { own.resume(); });
  }
  void await_resume() noexcept {}
};

Sums wanders(std::vector<std::thread>& threads, double* result) {
  double sum = 0.0;
  for (std::thread& thread : threads) {
    for (long i = 0; i < 100; ++i) sum += 0.5 * work_data[i % 64];
    co_await Elsewhere{&thread};
    sum += work(10);
  }
  *result = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long n = argc > 1 ? std::atol(argv[1]) : 10;
  double ended = 0.0;
  double total = 0.0;
  {  // three in turn, resumed from 0 to 4 frames below, which add 1 each: 3 (n (14 + 1) + 1) and 3
     // ends
    std::array<Sums, 3> generators = {sums(n, 7, &ended), sums(n, 7, &ended), sums(n, 7, &ended)};
    for (long turn = 0; turn <= n; ++turn) {  // 3 (n + 1)
      for (Sums& generator : generators)
        total += next_from_below(generator, static_cast<int>(turn % 5));
    }
  }
  {  // left behind in its second turn: 2 * 10 and 1, 2 of the outer one, 1 end; 1 here
    Sums left = nested(n, 5, &ended);
    left.next();
    left.next();
    total += left.value();
  }
  try {  // 6 n; n + 1 here
    Sums thrower = throws(n);
    while (thrower.next()) total += thrower.value();
  } catch (const std::runtime_error&) {
    total += 1.0;
  }
  Task task = chain(n, 4);  // n (8 + 1); 1 here
  task.handle.resume();
  total += task.await_resume();
  {  // 4 (200 + 20 + 1); 1 here
    double result = 0.0;
    std::vector<std::thread> threads(4);
    Sums wanderer = wanders(threads, &result);
    wanderer.next();
    for (std::thread& thread : threads) thread.join();
    total += result;
  }
  std::printf("%a %a\n", total, ended);
  return 0;
}
