// Whether what a rule is about takes a part of the time that is worth a word.
#include <algorithm>
#include <cmath>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

constexpr double kWorthAWord = 0.05;  // of the time

bool matters(const Subject& subject, double seconds) {
  return share_of_time(subject, seconds) >= kWorthAWord;
}

}  // namespace

bool arithmetic_matters(const Subject& subject) {
  return matters(subject, own_needs(subject).in_core);
}

bool data_matters(const Subject& subject) {
  double seconds = seconds_of_waiting(subject);
  for (const Limit& limit : own_needs(subject).data) {
    seconds = limit.level == Level::L1 ? seconds : std::max(seconds, limit.seconds);
  }
  return matters(subject, seconds);
}

bool memory_matters(const Subject& subject) {
  const Level memory = memory_level(subject.machine);
  const Traffic* now = find_level(subject.region.traffic, memory);
  Traffic most = now != nullptr ? *now : Traffic{};
  // With less of the last cache, too: then it is memory that is in the way.
  for (const auto& [share, traffic] : subject.region.traffic_at_share) {
    most = traffic.total() > most.total() ? traffic : most;
  }
  const auto choice = choose_threads(subject.ceilings, subject.region.threads);
  std::vector<Note> unused;  // the prediction has said what is missing
  const auto limit =
      choice ? boundary_limit(most, memory, subject.ceilings, choice->used, unused) : std::nullopt;
  return matters(subject, limit && std::isfinite(limit->seconds) ? limit->seconds : 0.0);
}

}  // namespace ridge::predict
