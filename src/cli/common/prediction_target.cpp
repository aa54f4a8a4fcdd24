#include "cli/common/prediction_target.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/core.h>

#include "cli/common/known_machines.hpp"
#include "cli/common/machine_choice.hpp"
#include "cli/common/machine_file.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/projection/target_machine.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/schema_name.hpp"
#include "serialize/specification.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kThis = "this";

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
      .and_then(published_target)
      .map(named);
}

/// "4xh100-80-sxm5": a number of one part.
struct Parts {
  unsigned count = 1;
  std::string name;
};

std::optional<Parts> several_parts(const std::string& name) {
  Parts parts;
  const char* last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data(), last, parts.count);
  if (error != std::errc() || parts.count == 0 || end == last || *end != 'x' || end + 1 == last) {
    return std::nullopt;
  }
  parts.name.assign(end + 1, last);
  return parts;
}

Result<TargetMachine> multiplied(TargetMachine target, const Parts& parts) {
  if (!predict::multiply_parts(target, parts.count)) {
    return fail(ErrorCode::usage,
                fmt::format("--on: {}x is for published parts, and {} is a measured machine",
                            parts.count, parts.name),
                "its roofs are those of the whole machine");
  }
  return target;
}

}  // namespace

TargetMachine measured_target(Machine machine) {
  const Microarchitecture* known =
      find_microarchitecture(serialize::known_microarchitectures(), machine.cpu);
  return predict::target_from(std::move(machine), known);
}

Result<TargetMachine> find_target(const std::string& name, const ThisMachine& this_machine) {
  if (name == kThis) {
    return this_machine().map(measured_target);
  }
  if (name.find('/') != std::string::npos || name.ends_with(".json")) {
    return target_in(name);
  }
  if (const auto parts = several_parts(name)) {
    return find_target(parts->name, this_machine).and_then([&](TargetMachine target) {
      return multiplied(std::move(target), *parts);
    });
  }
  auto known = find_specification(name);
  if (!known) {
    known.error().hint += " `this` is the machine that Ridge runs on.";
    return tl::make_unexpected(std::move(known.error()));
  }
  return published_target(std::move(*known));
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
  const ThisMachine this_machine = [] { return load_or_measure_machine(std::nullopt); };
  if (std::none_of(names.begin(), names.end(), is_machine_set)) {
    return find_targets(names, this_machine);
  }
  return expand_machine_sets(names, serialize::known_specifications())
      .and_then(
          [&](const std::vector<std::string>& all) { return find_targets(all, this_machine); });
}

Result<std::vector<TargetMachine>> with_own_machines(std::vector<TargetMachine> targets,
                                                     const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].find('=') == std::string::npos) {
      auto read = target_in(texts[i]);
      if (!read) {
        return tl::make_unexpected(std::move(read.error()));
      }
      targets.push_back(std::move(*read));
      continue;
    }
    auto derived = predict::derive_machine(texts[i]);
    if (!derived) {
      return tl::make_unexpected(std::move(derived.error()));
    }
    std::string& key = derived->target.figures.key;
    if (key == "derived" && texts.size() > 1) {
      key = fmt::format("derived-{}", i + 1);
    }
    targets.push_back(std::move(derived->target));
  }
  return targets;
}

}  // namespace ridge::cli
