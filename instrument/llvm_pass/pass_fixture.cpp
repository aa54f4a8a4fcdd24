#include "instrument/llvm_pass/pass_fixture.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

#include "abi/descriptor.h"

namespace ridge::pass_test {

namespace {

struct Outcome {
  int status;
  std::string text;
};

Outcome shell(const std::string& command) {
  Outcome outcome{-1, ""};
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> buffer{};
  while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.text.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string compiler_for(const std::string& source) {
  return source.ends_with(".cpp") ? RIDGE_TEST_CLANGXX : RIDGE_TEST_CLANG;
}

void parse_line(const std::string& line, Counts& run) {
  std::istringstream words(line);
  std::string kind;
  uint64_t id = 0;
  words >> kind;
  if (kind == "region") {
    Region region;
    uint32_t column = 0;
    words >> id >> region.kind >> region.parent >> region.name >> region.line >> column >>
        region.versions >> region.inlined_at >> region.function;
    run.regions[id] = region;
  } else if (kind == "sum") {
    Sum sum;
    words >> sum.region >> sum.quantity >> sum.precision >> sum.operation >> sum.width_bits;
    std::string rest;
    std::getline(words, rest);  // a name may hold spaces; the value comes last
    const size_t last = rest.rfind(' ');
    sum.name = rest.substr(1, last - 1);
    sum.value = std::stoull(rest.substr(last + 1));
    run.sums.push_back(sum);
  } else if (kind == "traffic") {
    std::string direction;
    uint64_t accesses = 0;
    uint64_t bytes = 0;
    words >> id >> direction >> accesses >> bytes;
    run.regions[id].bytes_traced[direction == "written"] = bytes;
  } else if (kind == "probe") {
    Probe probe;
    words >> probe.line >> probe.region;
    run.probes.push_back(probe);
  } else if (kind == "trips") {
    uint64_t region = 0;
    Trips trips;
    words >> region >> trips.shortest >> trips.longest;
    run.trips[region] = trips;
  } else if (kind == "depth") {
    words >> run.final_depth;
  } else {
    run.errors.push_back(line);
  }
}

}  // namespace

uint64_t Counts::total(const std::string& function, uint32_t quantity) const {
  uint64_t value = 0;
  for (const Sum& sum : sums) {
    const bool wanted = function.empty() || regions.at(sum.region).function == function;
    if (wanted && sum.quantity == quantity) value += sum.value;
  }
  return value;
}

uint64_t Counts::flops(const std::string& function, uint32_t operation) const {
  uint64_t value = 0;
  for (const Sum& sum : sums) {
    if (regions.at(sum.region).function == function && sum.quantity == RIDGE_FLOPS &&
        sum.operation == operation) {
      value += sum.value;
    }
  }
  return value;
}

uint64_t Counts::named(const std::string& function, const std::string& name) const {
  uint64_t value = 0;
  for (const Sum& sum : sums) {
    if (regions.at(sum.region).function == function && sum.name == name) value += sum.value;
  }
  return value;
}

unsigned Counts::loop_depth(uint64_t region) const {
  unsigned depth = 0;
  for (auto at = static_cast<int64_t>(region); at >= 0; at = regions.at(at).parent) {
    depth += regions.at(at).kind == RIDGE_REGION_LOOP;
  }
  return depth;
}

std::optional<Trips> Counts::trips_at(const std::string& function, unsigned depth) const {
  std::optional<Trips> all;
  for (const auto& [region, told] : trips) {
    if (regions.at(region).function != function || loop_depth(region) != depth) continue;
    all = all.value_or(told);
    all->shortest = std::min(all->shortest, told.shortest);
    all->longest = std::max(all->longest, told.longest);
  }
  return all;
}

uint64_t Counts::at_depth(const std::string& function, unsigned depth, uint32_t quantity) const {
  uint64_t value = 0;
  for (const Sum& sum : sums) {
    if (regions.at(sum.region).function == function && sum.quantity == quantity &&
        loop_depth(sum.region) == depth) {
      value += sum.value;
    }
  }
  return value;
}

Program::Program(const std::string& source, const std::string& flags) {
  const std::string compiler = compiler_for(source) + " " + flags + " -Wno-everything ";
  const std::string path =
      source.starts_with("/") ? source : std::string(RIDGE_TEST_DATA) + "/" + source;
  // References to the runtime are weak: they take nothing out of an archive.
  const std::string libraries = " -Wl,--no-whole-archive -lm -lpthread";
  // The module is verified on its way from the plugin to the code generator.
  const Outcome outcome =
      shell("cd " + folder_ + " && (" + compiler +
            "-gline-tables-only -fpass-plugin=" + RIDGE_TEST_PLUGIN + " -emit-llvm -c " + path +
            " -o a.bc && " + RIDGE_TEST_OPT + " -passes=verify -disable-output a.bc && " +
            compiler + "-Xclang -disable-llvm-passes -c a.bc -o a.o && " + compiler +
            "a.o -Wl,--whole-archive " + RIDGE_TEST_RUNTIME + libraries + " -o instrumented && " +
            compiler + path + " " + RIDGE_TEST_RUNTIME + libraries + " -o plain) 2>&1");
  if (outcome.status != 0) error_ = outcome.text;
}

Counts Program::run(const std::string& environment) const {
  const Outcome outcome = shell("cd " + folder_ + " && " + environment +
                                " RIDGE_TEST_OUTPUT=sums OMP_NUM_THREADS=2 ./instrumented");
  Counts run;
  run.status = outcome.status;
  run.output = outcome.text;
  std::ifstream sums(folder_ + "/sums");
  for (std::string line; std::getline(sums, line);) parse_line(line, run);
  return run;
}

Counts Program::run_plain() const {
  const Outcome outcome = shell("cd " + folder_ + " && OMP_NUM_THREADS=2 ./plain");
  Counts run;
  run.status = outcome.status;
  run.output = outcome.text;
  return run;
}

std::string Program::disassembly() const {
  return shell("cd " + folder_ + " && objdump -d --no-show-raw-insn a.o").text;
}

bool has_cpu_feature(const std::string& feature) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) {
  }
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == feature) return true;
  }
  return false;
}

bool runs_here(const std::string& flags) {
  const auto mentions = [&](const char* level) { return flags.find(level) != std::string::npos; };
  const bool v3 = has_cpu_feature("avx2") && has_cpu_feature("fma");
  const bool v4 = v3 && has_cpu_feature("avx512f") && has_cpu_feature("avx512dq") &&
                  has_cpu_feature("avx512vl") && has_cpu_feature("avx512bw");
  return (v3 || !mentions("x86-64-v3")) && (v4 || !mentions("x86-64-v4"));
}

}  // namespace ridge::pass_test
