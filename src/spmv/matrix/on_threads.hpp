// Work on several threads, without a runtime of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace ridge::spmv {

/// Calls work(t) for t = 0 .. threads - 1 at the same time, work(0) on the calling thread; where
/// the system gives no further thread, one after the other. Returns when all are done, with the
/// exception of the first t that threw one.
template <class Work>
void on_threads(int threads, const Work& work) {
  const auto count = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<std::exception_ptr> thrown(count);
  const auto guarded = [&](std::size_t t) noexcept {
    try {
      work(static_cast<int>(t));
    } catch (...) {
      thrown[t] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(count);
  std::size_t started = 1;
  try {
    for (; started < count; ++started) {
      others.emplace_back(guarded, started);
    }
  } catch (const std::system_error&) {  // the rest is done here
  }
  guarded(0);
  for (std::size_t t = started; t < count; ++t) {
    guarded(t);
  }
  for (std::thread& other : others) {
    other.join();
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) {
      std::rethrow_exception(exception);
    }
  }
}

/// Where part `part` of `parts` equal ones of 0 .. size - 1 begins.
[[nodiscard]] constexpr std::size_t part_begin(std::size_t size, int parts, int part) {
  const auto n = static_cast<std::size_t>(parts);
  const auto t = static_cast<std::size_t>(part);
  return size / n * t + std::min(size % n, t);
}

}  // namespace ridge::spmv
