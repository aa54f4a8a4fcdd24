#include "cli/common/prediction_target.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/core.h>

#include "cli/common/known_machines.hpp"
#include "cli/common/machine_file.hpp"
#include "predict/projection/target_machine.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/schema_name.hpp"
#include "serialize/specification.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kThis = "this";

TargetMachine measured_target(Machine machine) {
  const Microarchitecture* known =
      find_microarchitecture(serialize::known_microarchitectures(), machine.cpu);
  return predict::target_from(std::move(machine), known);
}

Result<TargetMachine> target_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read the machine file {}", file.string()),
                "name a ridge.specification/1 or ridge.machine/1 file, or a machine of `ridge "
                "machines list`");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto schema = serialize::schema_name(text, file.string());
  if (!schema) {
    return tl::make_unexpected(schema.error());
  }
  const auto named = [&](TargetMachine target) {
    target.figures.key = file.stem().string();
    return target;
  };
  if (*schema == "ridge.machine/1") {
    return serialize::parse_machine(text, file.string()).map(measured_target).map(named);
  }
  return serialize::parse_specification(text, file.string(), file.stem().string())
      .map([&](Specification figures) { return named(predict::target_from(std::move(figures))); });
}

}  // namespace

Result<TargetMachine> find_target(const std::string& name, const ThisMachine& this_machine) {
  if (name == kThis) {
    return this_machine().map(measured_target);
  }
  if (name.find('/') != std::string::npos || name.ends_with(".json")) {
    return target_in(name);
  }
  auto known = find_specification(name);
  if (!known) {
    known.error().hint += " `this` is the machine that Ridge runs on.";
    return tl::make_unexpected(std::move(known.error()));
  }
  return predict::target_from(std::move(*known));
}

Result<std::vector<TargetMachine>> find_targets(const std::vector<std::string>& names,
                                                const ThisMachine& this_machine) {
  std::vector<TargetMachine> targets;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      return fail(ErrorCode::usage, fmt::format("--on names {} twice", *name));
    }
    auto target = find_target(*name, this_machine);
    if (!target) {
      return tl::make_unexpected(std::move(target.error()));
    }
    targets.push_back(std::move(*target));
  }
  return targets;
}

Result<std::vector<TargetMachine>> find_targets(const std::vector<std::string>& names) {
  return find_targets(names, [] { return load_or_measure_machine(std::nullopt); });
}

}  // namespace ridge::cli
