#include "measure/sources.hpp"

#include <array>

#include "measure/binary/binary.hpp"
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
    Source{.name = "binary",
           .summary = "any program as it is: time by sampling the untouched program, counts and "
                      "simulated traffic in further runs under an engine (--engine)",
           .capabilities = {.counts = true, .times = true, .simulates = true},
           .needs = "a 64-bit program for x86-64, and an engine (`ridge run --engine list`)",
           .check = check_binary,
           .measure = measure_binary},
};

}  // namespace

std::span<const Source> sources() {
  return kSources;
}

}  // namespace ridge::measure
