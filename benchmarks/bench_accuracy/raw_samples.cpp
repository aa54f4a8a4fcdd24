// One run of `ridge bench --quick` with its samples: JSON on standard output, for evaluate.py.
//
//   bench_raw_samples [all]
//
// Prints every ceiling, and the samples of those that have targets (in-core and L1, one thread) or,
// with `all`, of all.
//
//   {"cpu","date","tsc_hertz","seconds","ceilings":[{"id","unit","p90","median","clock_hertz",
//    "per_cycle","limit_fraction"?,"samples_taken","samples_kept","thrown_away","flags",
//    "samples"?:[[rate,clock,burst_cycles,visit,quiet],...]}]}
//
// `per_cycle` is the p90 over the clock of the fast samples, for one thread: the figure in which
// runs must agree.
#include <chrono>
#include <cstdio>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "abi/version.h"
#include "bench/ceilings.hpp"
#include "bench/characterise.hpp"
#include "platform/topology.hpp"
#include "serialize/microarchitecture.hpp"

namespace {

bool has_targets(const ridge::Ceiling& ceiling) {
  return ceiling.threads == 1 &&
         (ceiling.kind == ridge::CeilingKind::compute || ceiling.level == ridge::Level::L1);
}

void print_samples(const ridge::bench::RawSamples& raw) {
  const ridge::bench::Measured& all = raw.all;
  fmt::print(",\"samples\":[");
  for (std::size_t i = 0; i < all.rates.size(); ++i) {
    fmt::print("{}[{:.5g},{:.5g},{:.0f},{},{}]", i == 0 ? "" : ",", all.rates[i], all.clocks[i],
               all.burst_cycles[i], all.visits[i], raw.quiet[i] ? 1 : 0);
  }
  fmt::print("]");
}

void print(const ridge::bench::RawSamples& raw, bool first, bool with_samples) {
  const ridge::Ceiling& ceiling = raw.ceiling;
  const double clock = ridge::bench::clock_of_p90(raw.kept).value();
  fmt::print("{}\n {{\"id\":\"{}\",\"unit\":\"{}\",\"p90\":{:.6g},\"median\":{:.6g},",
             first ? "" : ",", ceiling.id, unit_of(ceiling.value), p90_of(ceiling.value),
             median_of(ceiling.value));
  fmt::print("\"clock_hertz\":{:.5g},\"per_cycle\":{:.5g},", clock,
             p90_of(ceiling.value) / clock / ceiling.threads);
  if (ceiling.limit_fraction) {
    fmt::print("\"limit_fraction\":{:.5g},", *ceiling.limit_fraction);
  }
  fmt::print("\"samples_taken\":{},\"samples_kept\":{},\"thrown_away\":{},\"flags\":[",
             raw.all.rates.size(), raw.kept.rates.size(), raw.all.thrown_away);
  for (std::size_t i = 0; i < ceiling.flags.size(); ++i) {
    fmt::print("{}\"{}\"", i == 0 ? "" : ",", ceiling.flags[i]);
  }
  fmt::print("]");
  if (with_samples) {
    print_samples(raw);
  }
  fmt::print("}}");
}

int fail(const ridge::Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return error.exit_code();
}

}  // namespace

int main(int argc, char** argv) {
  const bool all = argc > 1 && std::string_view(argv[1]) == "all";
  auto machine = ridge::platform::describe_machine(ridge_version_text);
  if (!machine) {
    return fail(machine.error());
  }
  const auto* theory =
      find_microarchitecture(ridge::serialize::known_microarchitectures(), machine->cpu);
  fmt::print("{{\"cpu\":\"{} {} {}/{}/{}\",\"date\":\"{}\",\"ceilings\":[", machine->cpu.vendor,
             machine->cpu.name, machine->cpu.family, machine->cpu.model, machine->cpu.stepping,
             machine->date);
  bool first = true;
  const ridge::bench::Options options{.on_samples = [&](const ridge::bench::RawSamples& raw) {
    print(raw, first, all || has_targets(raw.ceiling));
    first = false;
  }};
  const auto start = std::chrono::steady_clock::now();
  const auto measured = ridge::bench::characterise(std::move(*machine), theory, options, {});
  if (!measured) {
    return fail(measured.error());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("\n],\"tsc_hertz\":{:.9g},\"seconds\":{:.3f}}}\n",
             measured->clock.tsc_hertz.value_or(0.0), seconds.count());
  return 0;
}
