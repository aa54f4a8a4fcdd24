#include "cli/common/known_machines.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"
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

}  // namespace ridge::cli
