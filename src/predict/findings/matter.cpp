// Whether what a rule is about takes a part of the time that is worth a word.
#include <algorithm>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

constexpr double kWorthAWord = 0.05;  // of the time

bool matters(const Subject& subject, double seconds) {
  return share_of_time(subject, seconds) >= kWorthAWord;
}

}  // namespace

bool arithmetic_matters(const Subject& subject) {
  return matters(subject, needs_of(subject, subject.region).in_core);
}

bool data_matters(const Subject& subject) {
  double seconds = seconds_of_waiting(subject);
  for (const Limit& limit : needs_of(subject, subject.region).data) {
    seconds = limit.level == Level::L1 ? seconds : std::max(seconds, limit.seconds);
  }
  return matters(subject, seconds);
}

bool memory_matters(const Subject& subject) {
  double seconds = 0.0;
  // With less of the last cache, too: then it is memory that is in the way.
  Region region = subject.region;
  const Level memory = memory_level(subject.machine);
  for (const auto& [share, traffic] : region.traffic_at_share) {
    Traffic& most = region.traffic[memory];
    most = traffic.total() > most.total() ? traffic : most;
  }
  for (const Limit& limit : needs_of(subject, region).data) {
    seconds = limit.level == memory ? limit.seconds : seconds;
  }
  return matters(subject, seconds);
}

}  // namespace ridge::predict
