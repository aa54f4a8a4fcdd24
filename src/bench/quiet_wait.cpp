#include "bench/quiet_wait.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "platform/conditions.hpp"

namespace ridge::bench {
namespace {

constexpr auto kLook = std::chrono::milliseconds(300);

}  // namespace

Waited wait_for_quiet(Seconds limit, const QuietHooks& hooks) {
  constexpr double kBusy = 0.25;  // of a CPU
  Waited waited;
  while (true) {
    const auto busy = hooks.busy_cpus();
    waited.busy_cpus = busy.value_or(0.0);
    waited.quiet = waited.busy_cpus < kBusy;
    waited.time = hooks.elapsed();
    if (waited.quiet || waited.time >= limit || (hooks.stop && hooks.stop())) {
      return waited;
    }
    if (hooks.on_wait) {
      hooks.on_wait(waited.busy_cpus, limit - waited.time);
    }
  }
}

QuietHooks hooks_of(std::vector<unsigned> cpus, std::function<bool()> stop,
                    std::function<void(const std::string& what)> progress) {
  const std::size_t count = cpus.size();
  return {
      .busy_cpus = [cpus = std::move(cpus)]() -> std::optional<double> {
        const auto before = platform::cpu_times(cpus);
        std::this_thread::sleep_for(kLook);
        const auto after = platform::cpu_times(cpus);
        return before && after ? platform::busy_cpus(*before, *after, cpus.size()) : std::nullopt;
      },
      .elapsed =
          [begin = std::chrono::steady_clock::now()] {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
            return Seconds{passed.count()};
          },
      .stop = std::move(stop),
      .on_wait =
          [count, progress = std::move(progress)](double busy, Seconds left) {
            progress(fmt::format(
                "other programs keep {:.1f} of {} CPUs busy: waiting, at most {:.0f} s more", busy,
                count, left.value()));
          }};
}

Seconds quiet_limit(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return Seconds{10.0};
    case Effort::standard:
      return Seconds{30.0};
    case Effort::full:
      break;
  }
  return Seconds{60.0};
}

}  // namespace ridge::bench
