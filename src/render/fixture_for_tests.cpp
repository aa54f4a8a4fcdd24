#include "render/fixture_for_tests.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace ridge::render::fixture {
namespace {

constexpr double kHertz = 3.7e9;

template <class Q>
Estimate<Q> around(double p90) {
  return {Q(p90 * 0.994), Q(p90), Q(p90 * 0.981), Q(p90), 200, Origin::measured};
}

void add_compute(Machine& machine, const std::string& precision, Isa isa, Operation operation,
                 double flops_per_cycle) {
  for (const unsigned threads : {1U, 2U}) {
    Ceiling ceiling = ceiling_of({ComputeKey{precision, isa, operation, threads}});
    const double limit = flops_per_cycle * kHertz * threads;
    ceiling.value = around<FlopsPerSecond>(limit * 0.987);
    ceiling.limit = limit;
    ceiling.limit_fraction = 0.987;
    ceiling.source = "Software Optimization Guide for the AMD Zen 4 Microarchitecture";
    machine.ceilings.push_back(std::move(ceiling));
  }
}

void add_bandwidth(Machine& machine, Level level, Pattern pattern, double one_thread,
                   double two_threads, double traffic_factor,
                   std::optional<double> bytes_per_cycle) {
  for (const unsigned threads : {1U, 2U}) {
    const double rate = threads == 1 ? one_thread : two_threads;
    Ceiling ceiling = ceiling_of({BandwidthKey{level, pattern, Isa::avx512, threads}});
    ceiling.value = around<BytesPerSecond>(rate);
    ceiling.traffic_value = around<BytesPerSecond>(rate * traffic_factor);
    if (bytes_per_cycle) {
      ceiling.limit = *bytes_per_cycle * kHertz * threads;
      ceiling.limit_fraction = rate / *ceiling.limit;
      if (*ceiling.limit_fraction > 1.02) {
        ceiling.flags.emplace_back("above-limit");
      }
    }
    machine.ceilings.push_back(std::move(ceiling));
  }
}

void add_ceilings(Machine& machine) {
  for (const auto& [precision, lanes] : {std::pair{"fp64", 1.0}, std::pair{"fp32", 2.0}}) {
    const double scalar = 1.0;  // lanes do not help scalar code
    add_compute(machine, precision, Isa::avx512, Operation::fma_add, 24.0 * lanes);
    add_compute(machine, precision, Isa::avx512, Operation::fma, 16.0 * lanes);
    add_compute(machine, precision, Isa::avx512, Operation::add, 8.0 * lanes);
    add_compute(machine, precision, Isa::avx2, Operation::fma, 16.0 * lanes);
    add_compute(machine, precision, Isa::avx2, Operation::add, 8.0 * lanes);
    add_compute(machine, precision, Isa::sse, Operation::fma, 8.0 * lanes);
    add_compute(machine, precision, Isa::scalar, Operation::fma, 4.0 * scalar);
    add_compute(machine, precision, Isa::scalar, Operation::add, 2.0 * scalar);
  }
  add_bandwidth(machine, "L1", Pattern::load, 229e9, 457e9, 1.0, 64.0);
  add_bandwidth(machine, "L1", Pattern::store, 116e9, 231e9, 1.0, 32.0);
  add_bandwidth(machine, "L1", Pattern::copy, 218e9, 433e9, 1.0, 64.0);
  add_bandwidth(machine, "L2", Pattern::load, 109e9, 217e9, 1.0, 32.0);
  add_bandwidth(machine, "L2", Pattern::copy, 71e9, 141e9, 1.5, {});
  add_bandwidth(machine, "L3", Pattern::load, 62e9, 118e9, 1.0, 16.0);
  add_bandwidth(machine, "L3", Pattern::copy, 41e9, 80e9, 1.5, {});
  add_bandwidth(machine, "DRAM", Pattern::load, 27.1e9, 38.4e9, 1.0, {});
  add_bandwidth(machine, "DRAM", Pattern::copy, 17.2e9, 24.3e9, 1.5, {});
  add_bandwidth(machine, "DRAM", Pattern::triad, 18.9e9, 26.5e9, 1.3333, {});
}

/// One region in few words; traffic in bytes for L1, L2, L3, DRAM.
struct Sketch {
  RegionKind kind;
  std::string name;
  std::string file;
  unsigned line;
  double seconds;
  std::uint64_t flops;
  OperationKind operation;
  unsigned width_bits;
  std::vector<std::uint64_t> traffic;
};

Region region_of(const Sketch& sketch, std::uint32_t id) {
  Region region;
  region.id = id;
  region.kind = sketch.kind;
  region.name = sketch.name;
  region.function = sketch.name;
  if (!sketch.file.empty()) {
    region.file = sketch.file;
    region.line = sketch.line;
  }
  region.threads = 2;
  region.entries = 500;
  region.iterations = 500 * 4094ULL * 4094ULL;
  if (sketch.seconds > 0.0) {
    const auto samples = static_cast<std::uint64_t>(sketch.seconds * 1000.0);
    region.time_seconds.self = SampledTime{Seconds(sketch.seconds), Seconds(sketch.seconds * 0.985),
                                           Seconds(sketch.seconds * 1.015), samples};
    region.cpu_seconds.self =
        SampledTime{Seconds(sketch.seconds * 2), Seconds(sketch.seconds * 1.97),
                    Seconds(sketch.seconds * 2.03), samples};
  }
  if (sketch.kind != RegionKind::library) {
    region.flops = Work{};
  }
  if (sketch.flops > 0) {
    work_of(region).add(Precision::fp64, sketch.operation, sketch.width_bits, sketch.flops);
  }
  const std::vector<Level> levels = {"L1", "L2", "L3", "DRAM"};
  for (std::size_t i = 0; i < sketch.traffic.size(); ++i) {
    region.traffic[levels.at(i)] = {sketch.traffic[i] * 3 / 4, sketch.traffic[i] / 4};
  }
  if (!sketch.traffic.empty()) {
    region.bytes_loaded = sketch.traffic[0] * 3 / 4;
    region.bytes_stored = sketch.traffic[0] / 4;
  }
  return region;
}

std::vector<Sketch> sketches() {
  constexpr std::uint64_t kGiga = 1'000'000'000;
  using enum RegionKind;
  using enum OperationKind;
  return {
      {loop,
       "jacobi_sweep",
       "examples/heat2d/heat2d.cpp",
       48,
       5.21,
       42 * kGiga,
       add,
       512,
       {404 * kGiga, 163 * kGiga, 152 * kGiga, 146 * kGiga}},
      {loop,
       "Eigen::internal::sparse_time_dense_product_impl<Eigen::SparseMatrix<double, 1, int>>::run",
       "/usr/include/eigen3/Eigen/src/SparseCore/SparseDenseProduct.h",
       69,
       3.42,
       14 * kGiga,
       fma,
       64,
       {196 * kGiga, 108 * kGiga, 96 * kGiga, 88 * kGiga}},
      {loop,
       "max_difference",
       "examples/heat2d/heat2d.cpp",
       71,
       1.16,
       8 * kGiga,
       add,
       512,
       {66 * kGiga, 34 * kGiga, 33 * kGiga, 32 * kGiga}},
      {loop,
       "copy_grid",
       "examples/heat2d/heat2d.cpp",
       88,
       0.83,
       0,
       add,
       64,
       {53 * kGiga, 40 * kGiga, 39 * kGiga, 29 * kGiga}},
      {loop,
       "assemble_preconditioner",
       "examples/eigen_cg/poisson.cpp",
       133,
       0.62,
       47 * kGiga,
       fma,
       256,
       {41 * kGiga, 3 * kGiga, kGiga / 2, 0}},
      {library, "omp wait", "", 0, 0.41, 0, add, 64, {}},
      {loop,
       "small_dense_block",
       "examples/eigen_cg/poisson.cpp",
       161,
       0.33,
       22 * kGiga,
       fma,
       512,
       {19 * kGiga, 6 * kGiga, 200'000'000, 31'000'000}},
      {function,
       "axpy_inline",
       "examples/eigen_cg/poisson.cpp",
       37,
       0.21,
       1 * kGiga,
       fma,
       256,
       {12 * kGiga, 12 * kGiga, 6 * kGiga, 5 * kGiga}},
      {library, "in libc.so.6", "", 0, 0.11, 0, add, 64, {}},
      {loop,
       "read_input",
       "examples/eigen_cg/main.cpp",
       20,
       0.0,
       0,
       add,
       64,
       {1000, 1000, 1000, 1000}},
  };
}

Region program_of(const std::vector<Region>& regions, double seconds) {
  Region program;
  program.id = 0;
  program.kind = RegionKind::program;
  program.name = "solver";
  program.threads = 2;
  for (const Region& region : regions) {
    work_of(program) += known_work(region);
    program.bytes_loaded = program.bytes_loaded.value_or(0) + region.bytes_loaded.value_or(0);
    program.bytes_stored = program.bytes_stored.value_or(0) + region.bytes_stored.value_or(0);
    for (const auto& [level, traffic] : region.traffic) {
      program.traffic[level] += traffic;
    }
  }
  program.time_seconds.self =
      SampledTime{Seconds(seconds), Seconds(seconds * 0.999), Seconds(seconds * 1.001),
                  static_cast<std::uint64_t>(seconds * 1000.0)};
  return program;
}

void decorate(std::vector<Region>& regions) {
  regions.at(5).function = "max_difference";  // for which it waits
  regions.at(7).partial = true;
  regions.at(7).notes.push_back(
      {"uncertain-share", "about 30 ns per entry: too short for the sampler"});
  regions.at(1).calls["sqrt"] = 512;
  regions.at(1).opaque["__kmpc_barrier"] = 500;
  regions.at(0).notes.push_back(
      {"traffic-scaled", "the two runs differ by 0.3 % in flops: traffic is scaled per flop"});
  for (const auto& [level, traffic] : regions.at(0).traffic) {
    regions.at(0).least_traffic[level] = {traffic.read * 2 / 3, traffic.written};
  }
}

/// min(P_max, I * b): the ceiling that binds, and the one after it.
std::optional<Bound> bound_of(const Region& region, const Machine& machine, Isa isa,
                              Operation operation) {
  std::vector<std::pair<double, std::string>> limits;
  const bool work = known_work(region).total() > 0;
  if (work) {
    const std::string id = to_string(ComputeKey{"fp64", isa, operation, 2});
    limits.emplace_back(p90_of(find_ceiling(machine, id)->value), id);
  }
  for (const auto& [level, traffic] : region.traffic) {
    const std::string id = to_string(
        BandwidthKey{level, level == Level::L1 ? Pattern::load : Pattern::copy, Isa::avx512, 2});
    const auto balance = work ? intensity(region, level) : std::optional(FlopsPerByte(1.0));
    if (balance) {
      limits.emplace_back(balance->value() * p90_of(*find_ceiling(machine, id)->traffic_value), id);
    }
  }
  const auto& time = region.time_seconds.self;
  if (limits.empty() || !time) {
    return std::nullopt;
  }
  std::sort(limits.begin(), limits.end());
  Bound bound;
  bound.ceiling = limits.front().second;
  bound.attainable = limits.front().first;
  bound.unit = work ? BoundUnit::flops_per_second : BoundUnit::bytes_per_second;
  const double rate =
      work ? static_cast<double>(known_work(region).total()) / time->value.value()
           : static_cast<double>(region.traffic.at("DRAM").total()) / time->value.value();
  bound.fraction = rate / bound.attainable;
  if (limits.size() > 1) {
    bound.next = limits[1].second;
    bound.next_attainable = limits[1].first;
  }
  return bound;
}

std::vector<NextStep> next_steps() {
  NextStep blocking;
  blocking.region = 1;
  blocking.code = "excess-traffic";
  blocking.where = "jacobi_sweep (heat2d.cpp:48)";
  blocking.reason = "1.4 times the traffic that its data need";
  blocking.remedy = "block or exchange the loops";
  blocking.gain_program = SpeedUp{1.0, 1.14};
  blocking.regions = {1};
  NextStep vectors;
  vectors.region = 2;
  vectors.code = "narrow-vectors";
  vectors.where = "Eigen::internal::sparse_time_dense_product_impl::run (SparseDenseProduct.h:69)";
  vectors.reason = "vectors of 128 bit, where 512 bit do 3.9 times as many flop/s";
  vectors.remedy = "-march=native, or the -march of where it will run";
  vectors.gain_program = SpeedUp{1.06, 1.08};
  vectors.regions = {2, 5};
  return {blocking, vectors};
}

}  // namespace

Machine zen4() {
  Machine machine;
  machine.ridge_version = "0.1.0";
  machine.name = "AMD EPYC 9R14 (2 vCPU)";
  machine.date = "2026-01-02T03:04:05Z";
  machine.host = "node-17";
  machine.cpu = CpuIdentity{"AuthenticAMD", "AMD EPYC 9R14", 25, 17, 1};
  machine.topology = Topology{1, 1, 2, 2};
  machine.caches = {{"L1", 32768, 8, 64, 1, CachePolicy::inclusive, WriteAllocate::always},
                    {"L2", 1048576, 8, 64, 1, CachePolicy::inclusive, WriteAllocate::always},
                    {"L3", 33554432, 16, 64, 2, CachePolicy::victim, WriteAllocate::always}};
  machine.memories = {{"DRAM", 8ULL << 30U}};
  machine.clock.core = around<Hertz>(kHertz);
  machine.clock.tsc_hertz = 2.6e9;
  add_ceilings(machine);
  return machine;
}

Machine characterised() {
  Machine machine = zen4();
  machine.effort = "full";
  machine.incomplete = true;
  const double peak = p90_of(find_ceiling(machine, "compute.fp64.avx512.fma.t2")->value);
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::DRAM}) {
    const std::string load = to_string(BandwidthKey{level, Pattern::load, Isa::avx512, 2});
    const double bandwidth = p90_of(find_ceiling(machine, load)->value);
    MeasuredRoof roof{level, "fp64", Isa::avx512, 2, "compute.fp64.avx512.fma.t2", load, {}};
    const double knee = peak / bandwidth;
    for (int step = -7; step <= 7; ++step) {
      const double intensity = knee * std::pow(1.5, step);
      const double fraction = step == 0 && roof.level == Level::DRAM ? 0.79 : 0.99;
      const double rate = fraction * std::min(peak, intensity * bandwidth);
      roof.points.push_back({FlopsPerByte{intensity}, around<FlopsPerSecond>(rate), fraction});
    }
    machine.measured_roofs.push_back(std::move(roof));
  }
  machine.sustained = {{"compute.fp64.avx512.fma.t2", Seconds{6.0},
                        around<FlopsPerSecond>(0.9 * peak), around<Hertz>(3.3e9), Hertz{3.7e9}}};
  machine.numa = {{0, 0, "DRAM", 2, around<BytesPerSecond>(50e9), around<Seconds>(110e-9)}};
  machine.notes = {{"steal-time", "the hypervisor gave 2.0 % of the CPUs' time to other guests"},
                   {"incomplete", "stopped before everything planned was measured"}};
  return machine;
}

Profile profile() {
  Profile result;
  result.ridge_version = "0.1.0";
  result.date = "2026-01-02T03:14:15Z";
  result.program.argv = {"./solver", "--grid", "4096", "--title", "it's hot"};
  result.program.exit_code = 0;
  result.program.wall_seconds = Seconds(12.4);
  result.program.compiler = "clang 19.1.7, -O3 -march=native -fopenmp";
  result.machine = zen4();
  result.processes = {{4711, result.program.argv, 0, std::nullopt, std::nullopt}};
  result.time = {Seconds(12.31), 0.008};
  std::vector<Region> regions;
  for (const Sketch& sketch : sketches()) {
    regions.push_back(region_of(sketch, static_cast<std::uint32_t>(regions.size() + 1)));
  }
  decorate(regions);
  result.regions.push_back(program_of(regions, 12.31));
  result.regions.insert(result.regions.end(), regions.begin(), regions.end());
  result.notes = {
      {"overhead", "Counting slowed the program by 2.1 % (plain build 12.1 s, counted 12.4 s)."}};
  return result;
}

Prediction prediction(const Profile& profile) {
  Prediction result;
  for (const Region& region : profile.regions) {
    RegionPrediction entry;
    entry.region = region.id;
    if (!known_work(region).terms.empty()) {
      const WorkTerm& term = known_work(region).terms.front();
      const Isa isa = term.width_bits == 512   ? Isa::avx512
                      : term.width_bits == 256 ? Isa::avx2
                                               : Isa::scalar;
      entry.code = bound_of(region, profile.machine, isa, operation_of(term.kind));
      entry.machine = bound_of(region, profile.machine, Isa::avx512, Operation::fma_add);
    } else {
      entry.code = bound_of(region, profile.machine, Isa::avx512, Operation::fma);
      entry.machine = entry.code;
    }
    if (region.name == "omp wait") {
      entry.findings = {
          {"waits-imbalance", "the busiest of 2 threads has 1.30 times the mean", {}, {}, {}}};
    }
    if (const auto& time = region.time_seconds.self; time && entry.code && entry.code->fraction) {
      const double share = time->value.value() / profile.program.wall_seconds.value();
      const double below = 1.0 - std::min(*entry.code->fraction, 1.0);
      entry.gain = 1.0 / (1.0 - std::min(share, 1.0) * below);
    }
    result.regions.push_back(std::move(entry));
  }
  result.next_steps = next_steps();
  result.verdict = "DRAM bandwidth binds 80 % of the time.";
  result.summary =
      "DRAM bandwidth binds 80 % of the time; look at jacobi_sweep first: its DRAM traffic is 1.4 "
      "times the least possible.";
  return result;
}

Profile many_loops(unsigned count) {
  Profile result = profile();
  result.regions.clear();
  result.program.wall_seconds = Seconds(0.01 * count);
  std::vector<Region> regions;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t bytes = 1'000'000ULL + i;
    regions.push_back(region_of({RegionKind::loop,
                                 fmt::format("loop_{}", i),
                                 "many.cpp",
                                 i + 1,
                                 0.01,
                                 500'000'000ULL + 13'579ULL * i,
                                 OperationKind::fma,
                                 512,
                                 {bytes * 4000, bytes * 2000, bytes * 700, bytes * 90}},
                                i + 1));
  }
  result.regions.push_back(program_of(regions, 0.01 * count));
  result.regions.insert(result.regions.end(), regions.begin(), regions.end());
  return result;
}

}  // namespace ridge::render::fixture
