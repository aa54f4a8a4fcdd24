// Code of a program made by hand: place i lies in region i. For tests only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measure/binary/program_code.hpp"

namespace ridge::measure::binary {

class CodeForTests {
 public:
  /// The next regions are in this file.
  void file(const std::string& path) {
    code.modules.emplace_back().executed.path = path;
    code.modules.back().first_region = code.region_count;
    samples.files.push_back(path);
  }

  /// Its number. `instructions`: 0 where the engine never saw it.
  std::uint32_t region(const std::string& name, std::uint64_t instructions,
                       std::optional<std::uint32_t> parent = std::nullopt) {
    CodeModule& module = code.modules.back();
    const std::uint32_t number = code.region_count++;
    ModuleRegion& made = module.regions.regions.emplace_back();
    made.name = made.function = name;
    made.line = number + 1;
    ModuleWork& work = module.work.emplace_back();
    work.instructions = instructions;
    if (instructions > 0) {
      work.work.flops = Work{};
      work.work.flops->terms.push_back(
          {Precision::fp64, OperationKind::add, 256, 10 * instructions});
      work.work.bytes_loaded = instructions;
    }
    code.parents.push_back(parent);
    code.stands_for.push_back(number);
    code.region_of_place.push_back(number);
    samples.places.push_back({static_cast<std::uint32_t>(samples.files.size() - 1), number});
    return number;
  }

  void was_in(std::uint32_t region, std::size_t times) {
    if (samples.threads.empty()) {
      samples.threads.push_back({1, 1, 0, std::nullopt});
    }
    for (std::size_t i = 0; i < times; ++i) {
      samples.moments.push_back({.weight = 1, .place = region});
    }
  }

  ProgramCode code;
  SampledCode samples;
};

}  // namespace ridge::measure::binary
