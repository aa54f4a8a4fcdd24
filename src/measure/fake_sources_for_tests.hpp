// Sources that run nothing: they record what they are asked and answer as a test tells them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "measure/source.hpp"

namespace ridge::measure {

struct FakeSource {
  Result<void> check_answer;
  Result<Profile> measure_answer = Profile();
  /// Stored one after the other before measure() answers, where somebody wants snapshots.
  std::vector<Profile> snapshots;
  std::vector<Request> checked;
  std::vector<Request> measured;
};

/// What the function pointers of fake_sources()[N] work on: they carry no state themselves.
template <std::size_t N>
FakeSource& fake_source() {
  static FakeSource fake;
  return fake;
}

template <std::size_t N>
Result<void> fake_check(const Request& request) {
  fake_source<N>().checked.push_back(request);
  return fake_source<N>().check_answer;
}

/// The machine goes into the profile, as every source does it.
template <std::size_t N>
Result<Profile> fake_measure(const Request& request, const Machine& machine) {
  FakeSource& fake = fake_source<N>();
  fake.measured.push_back(request);
  const SnapshotSink& sink = request.snapshots;
  if (sink.store && !fake.snapshots.empty() && (!sink.open || sink.open())) {
    for (Profile snapshot : fake.snapshots) {
      snapshot.machine = machine;
      (void)sink.store(snapshot);
    }
  }
  if (fake.measure_answer) {
    fake.measure_answer->machine = machine;
  }
  return fake.measure_answer;
}

/// "whole" can everything, "sampling" gives times alone.
inline std::span<const Source> fake_sources() {
  static constexpr std::array kFakes{Source{"whole",
                                            "everything",
                                            {true, true, true},
                                            "a program that suits it",
                                            fake_check<0>,
                                            fake_measure<0>},
                                     Source{"sampling",
                                            "time alone",
                                            {.times = true},
                                            "any program",
                                            fake_check<1>,
                                            fake_measure<1>}};
  return kFakes;
}

inline void reset_fake_sources() {
  fake_source<0>() = {};
  fake_source<1>() = {};
}

}  // namespace ridge::measure
