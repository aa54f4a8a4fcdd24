#include "predict/roof/judged_time.hpp"

#include <algorithm>

namespace ridge::predict {
namespace {

constexpr std::uint64_t kEnoughSamples = 20;

/// Of the CPU time of all threads, the part of the one with most; 1 for a single thread, an equal
/// part where it is not known.
double busiest_share(const Region& region) {
  double most = 0.0;
  double all = 0.0;
  for (const ThreadWork& thread : region.thread_work) {
    const double seconds = thread.cpu_seconds ? thread.cpu_seconds->value.value() : 0.0;
    most = std::max(most, seconds);
    all += seconds;
  }
  return all > 0.0 ? most / all : 1.0 / std::max(1U, region.threads);
}

}  // namespace

double waited_share(const Region& region) {
  const auto& cpu = region.cpu_seconds.self;
  if (!region.waited_seconds || !cpu) {
    return 0.0;
  }
  const double waited = region.waited_seconds->value();
  const double all = waited + std::max(0.0, cpu->value.value());
  return all > 0.0 ? waited / all : 0.0;
}

std::optional<JudgedTime> judged_time(const Region& region) {
  const auto& wall = region.time_seconds.self;
  const auto& cpu = region.cpu_seconds.self;
  if (!wall || waited_share(region) < kBusy || cpu->samples < kEnoughSamples) {
    return wall ? std::optional(JudgedTime{*wall, false}) : std::nullopt;
  }
  const double part = busiest_share(region);
  const auto of_one = [&](Seconds seconds) { return std::min(seconds * part, wall->high); };
  return JudgedTime{{of_one(cpu->value), of_one(cpu->low), of_one(cpu->high), cpu->samples}, true};
}

double judged_seconds(const Region& region) {
  const auto time = judged_time(region);
  return time ? std::max(time->time.value.value(), 0.0) : 0.0;
}

}  // namespace ridge::predict
