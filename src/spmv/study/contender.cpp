#include "spmv/study/contender.hpp"

#include <algorithm>
#include <cmath>

#include "spmv/study/stopwatch.hpp"

namespace ridge::spmv {
namespace {

int repetitions_of(const Contender& contender, Seconds sample) {
  contender.prepare();
  contender.run();
  const Stopwatch watch;
  contender.run();
  return static_cast<int>(std::clamp(std::ceil(sample.value() / watch.seconds()), 1.0, 1e5));
}

TurnTaking::Sample sample(const Contender& contender, int repetitions, ReadBandwidth& bandwidth) {
  contender.prepare();
  const double before = bandwidth.measure().value();
  const Stopwatch watch;
  for (int i = 0; i < repetitions; ++i) {
    contender.run();
  }
  const double seconds = watch.seconds() / repetitions;
  // Of two rates over equal bytes, the mean in time is the harmonic one.
  return {seconds, 2 / (1 / before + 1 / bandwidth.measure().value())};
}

}  // namespace

std::vector<Samples> time_in_turn(const std::vector<Contender>& contenders,
                                  ReadBandwidth& bandwidth, const Effort& effort, Seconds budget,
                                  const std::function<void(const std::string&)>& progress) {
  std::vector<int> repetitions;
  for (const Contender& contender : contenders) {
    repetitions.push_back(repetitions_of(contender, effort.sample));
  }
  const Stopwatch watch;
  return take_turns(
      contenders.size(), rules_of(effort, budget),
      {.sample =
           [&](std::size_t who) { return sample(contenders[who], repetitions[who], bandwidth); },
       .elapsed = [&] { return Seconds(watch.seconds()); },
       .progress = progress});
}

void Vectors::touch(Array<double>& array, int threads, double value) {
  const auto work = Work::shared_out(static_cast<std::int64_t>(array.size()), threads,
                                     [](std::int64_t i) { return i; });
  run_parts(work, Schedule::entries, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t i = first; i < last; ++i) {
      array[static_cast<std::size_t>(i)] = value + 1e-3 * static_cast<double>(i % 997);
    }
  });
}

}  // namespace ridge::spmv
