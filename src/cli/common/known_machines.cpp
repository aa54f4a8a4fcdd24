#include "cli/common/known_machines.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"
#include "predict/projection/target_machine.hpp"
#include "serialize/known_caches.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/specification.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

Result<Specification> read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) {
    return fail(ErrorCode::bad_input,
                fmt::format("cannot read {}: {}", file.string(),
                            fs::is_directory(file) ? "is a folder" : std::strerror(errno)),
                "name a ridge.specification/1 file, or a machine of `ridge machines list`");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return serialize::parse_specification(text, file.string(), file.stem().string());
}

}  // namespace

Result<Specification> find_specification(std::string_view name) {
  if (name.find('/') != std::string_view::npos || name.ends_with(".json")) {
    return read_file(name);
  }
  std::vector<std::string> keys;
  for (const Specification& machine : serialize::known_specifications()) {
    if (machine.key == name) {
      return machine;
    }
    keys.push_back(machine.key);
  }
  const auto near = nearest_names(name, keys);
  return fail(ErrorCode::bad_input, fmt::format("there is no machine `{}`", name),
              near.empty() ? "`ridge machines list` lists those that Ridge knows."
                           : fmt::format("did you mean {}? `ridge machines list` lists all.",
                                         fmt::join(near, ", ")));
}

Result<TargetMachine> published_target(Specification figures) {
  const KnownCaches* row = find_caches(serialize::known_caches(), figures.key);
  const std::optional<std::string> name = figures.microarchitecture ? figures.microarchitecture
                                          : row != nullptr          ? row->microarchitecture
                                                                    : std::nullopt;
  if (!name) {
    return predict::target_from(std::move(figures));
  }
  std::vector<std::string> names;
  for (const Microarchitecture& known : serialize::known_microarchitectures()) {
    if (known.name == *name) {
      return predict::target_from(std::move(figures), &known);
    }
    names.push_back(known.name);
  }
  const auto near = nearest_names(*name, names);
  return fail(
      ErrorCode::bad_input,
      fmt::format("{}: there is no microarchitecture `{}`", figures.key, *name),
      fmt::format("{}known: {}", near.empty() ? "" : fmt::format("did you mean {}? ", near.front()),
                  fmt::join(names, ", ")));
}

}  // namespace ridge::cli
