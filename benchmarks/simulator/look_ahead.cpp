// look_ahead: nanoseconds of the cache simulation for an access, without looking ahead in the
// trace, looking ahead throughout, and as the simulation decides (cachesim/stream.c). Synthetic
// traces; the three take turns, a few batches at a time. JSON on standard output.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

extern "C" {
#include "cachesim/cachesim.h"
#include "cachesim/line_class.h"
}

namespace {

constexpr std::size_t kBatch = 2048;
constexpr std::size_t kTurn = 8 * kBatch;  // accesses before the next contender
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
constexpr std::uint64_t kClasses = 0x8040'2010'0804'0201;
using Trace = std::vector<ridge_trace_entry>;

enum Contender { kOff, kOn, kAuto, kContenders };
constexpr std::array<const char*, kContenders> kNames = {"off", "on", "auto"};

ridge_trace_entry access(std::uint64_t address, std::uint32_t bytes, bool write = false) {
  const std::uint64_t flags = write ? std::uint64_t{RIDGE_TRACE_WRITE} : 0;
  return {address,
          std::uint64_t{1} << RIDGE_TRACE_REGION_SHIFT | flags << RIDGE_TRACE_FLAGS_SHIFT | bytes};
}

/// a = b + s c over 24 MB, whole lines.
Trace triad() {
  Trace trace;
  for (std::uint64_t line = 0; line < 125'000; ++line) {
    trace.push_back(access((1ULL << 32U) + 64 * line, 64));
    trace.push_back(access((2ULL << 32U) + 64 * (line + 5), 64));
    trace.push_back(access((3ULL << 32U) + 64 * (line + 10), 64, true));
  }
  return trace;
}

/// One line of eight, as sampled traffic has them: one of eight neighbours and of each residue.
Trace sampled(const Trace& all) {
  Trace trace;
  std::copy_if(all.begin(), all.end(), std::back_inserter(trace), [](const auto& entry) {
    return (kClasses >> cachesim_class_of(entry.address) & 1U) != 0;
  });
  return trace;
}

/// As the runtime hands them over where the simulation is packed.
Trace packed(Trace trace) {
  for (ridge_trace_entry& entry : trace) {
    entry.address = cachesim_packed_address(kClasses, entry.address);
  }
  return trace;
}

Trace random_loads(std::uint64_t bytes) {
  std::mt19937_64 random(1);
  Trace trace;
  for (int i = 0; i < 400'000; ++i) {
    trace.push_back(access((1ULL << 32U) + random() % (bytes / 8) * 8, 8));
  }
  return trace;
}

/// Rows of eight entries: values and columns in order, x of so many bytes at random.
Trace spmv(std::uint64_t x_bytes) {
  std::mt19937_64 random(2);
  Trace trace;
  for (std::uint64_t row = 0; row < 40'000; ++row) {
    trace.push_back(access((1ULL << 32U) + 64 * row, 64));
    trace.push_back(access((2ULL << 32U) + 32 * row, 32));
    for (int lane = 0; lane < 8; ++lane) {
      trace.push_back(access((3ULL << 32U) + random() % (x_bytes / 8) * 8, 8));
    }
    trace.push_back(access((4ULL << 32U) + 8 * row, 8, true));
  }
  return trace;
}

void* allocate(void* /*context*/, std::uint64_t bytes) {
  constexpr std::uint64_t kHugePage = 2 * kMiB;
  const std::uint64_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = mmap(nullptr, whole + kHugePage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kHugePage - 1) & ~(kHugePage - 1);
  madvise(reinterpret_cast<void*>(begin), whole, MADV_HUGEPAGE);
  return reinterpret_cast<void*>(begin);
}
void keep(void* /*context*/, void* /*memory*/, std::uint64_t /*bytes*/) {}  // until the end

ridge_cache_config machine(const std::array<std::array<std::uint32_t, 3>, 3>& sets_ways_policy) {
  ridge_cache_config config{};
  config.level_count = 3;
  config.core_count = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [sets, ways, policy] = sets_ways_policy.at(i);
    config.levels[i] = {std::uint64_t{sets} * ways * 64, ways, 64, 1, policy, 1, 0};
  }
  return config;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

struct Simulated {
  std::vector<ridge_region_traffic> traffic = std::vector<ridge_region_traffic>(2);
  cachesim* sim = nullptr;
  std::vector<double> nanoseconds;  // for an access, by turn

  double turn(Contender contender, const ridge_trace_entry* entries, std::size_t count) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < count; i += kBatch) {
      sim->looks_ahead = contender == kAuto ? sim->looks_ahead : static_cast<int>(contender);
      cachesim_run(sim, 0, entries + i, std::min(kBatch, count - i));
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    return took.count() / static_cast<double>(count);
  }
};

/// The first round only warms the caches up.
std::string measure(const std::string& name, const Trace& trace, const ridge_cache_config& config,
                    int rounds, bool packed) {
  const cachesim_memory memory{allocate, keep, nullptr};
  std::array<Simulated, kContenders> all;
  for (Simulated& one : all) {
    one.sim = cachesim_create(&config, one.traffic.data(), 2, &memory);
    if (one.sim == nullptr || (packed && cachesim_pack(one.sim, kClasses) == 0)) {
      std::abort();
    }
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t begin = 0; begin + kTurn <= trace.size(); begin += kTurn) {
      for (int i = 0; i < kContenders; ++i) {
        const auto contender = static_cast<Contender>((i + round) % kContenders);
        const double took = all.at(contender).turn(contender, &trace[begin], kTurn);
        if (round > 0) {
          all.at(contender).nanoseconds.push_back(took);
        }
      }
    }
  }
  std::string line = fmt::format(R"(  {{"trace": "{}")", name);
  for (int i = 0; i < kContenders; ++i) {
    std::vector<double> ratios = all.at(i).nanoseconds;
    for (std::size_t k = 0; k < ratios.size(); ++k) {
      ratios[k] /= all[kOff].nanoseconds[k];
    }
    line += fmt::format(
        R"(, "{}": {{"ns_median": {:.2f}, "ns_p10": {:.2f}, "ns_p90": {:.2f}, "ratio_to_off_median": {:.3f}}})",
        kNames.at(i), quantile(all.at(i).nanoseconds, 0.5), quantile(all.at(i).nanoseconds, 0.1),
        quantile(all.at(i).nanoseconds, 0.9), quantile(ratios, 0.5));
  }
  return line + fmt::format(R"(, "turns": {}}})", all[kOff].nanoseconds.size());
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown";
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::array<char, 32> text{};
  const std::size_t length =
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return {text.data(), length};
}

}  // namespace

int main() {
  const auto small = machine(
      {{{64, 8, RIDGE_NON_INCLUSIVE}, {2048, 8, RIDGE_INCLUSIVE}, {32'768, 16, RIDGE_VICTIM}}});
  const auto large = machine({{{64, 12, RIDGE_NON_INCLUSIVE},
                               {2048, 16, RIDGE_NON_INCLUSIVE},
                               {212'992, 20, RIDGE_VICTIM}}});
  std::string rows;
  for (const auto& [machine_name, config] : {std::pair{"32 MiB", small}, {"260 MiB", large}}) {
    const auto add = [&, name = std::string(machine_name), &caches = config](
                         const char* trace_name, const Trace& trace, int rounds,
                         bool is_packed = false) {
      rows += (rows.empty() ? "" : ",\n") +
              measure(name + " last level: " + trace_name, trace, caches, rounds, is_packed);
    };
    add("triad, 24 MB", triad(), 8);
    add("triad, one line of eight, not packed", sampled(triad()), 60);
    add("triad, one line of eight, packed", packed(sampled(triad())), 60, true);
    add("random loads, 0.5 MB", random_loads(kMiB / 2), 8);
    add("random loads, 64 MB", random_loads(64 * kMiB), 6);
    add("SpMV, x of 0.5 MB at random", spmv(kMiB / 2), 8);
    add("SpMV, x of 64 MB at random", spmv(64 * kMiB), 6);
  }
  fmt::print(R"({{"date": "{}", "cpu": "{}", "unit": "ns for an access", "rows": [
{}
]}}
)",
             now(), processor(), rows);
}
