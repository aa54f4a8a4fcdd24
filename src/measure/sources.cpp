#include "measure/sources.hpp"

#include <array>

#include "measure/instrumented/instrumented.hpp"

namespace ridge::measure {
namespace {

constexpr std::array kSources{
    Source{.name = "instrumented",
           .summary = "counts of instructions that the compiler inserted, time by sampling from "
                      "outside, traffic by simulation in a second run",
           .capabilities = {.counts = true, .times = true, .simulates = true},
           .needs = "a program built with ridge-cc or ridge-c++",
           .check = check_instrumented,
           .measure = measure_instrumented},
};

}  // namespace

std::span<const Source> sources() {
  return kSources;
}

}  // namespace ridge::measure
