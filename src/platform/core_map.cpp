#include "platform/core_map.hpp"

#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

namespace ridge::platform {
namespace {

std::optional<unsigned> number_after(const std::string& text, std::size_t begin) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + begin, end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<int> read_number(const std::filesystem::path& file) {
  std::ifstream stream(file);
  int value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

}  // namespace

std::map<unsigned, std::uint32_t> core_of_each_cpu(const std::filesystem::path& cpus) {
  std::map<std::pair<int, int>, std::uint32_t> cores;
  std::map<unsigned, std::pair<int, int>> place_of_cpu;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(cpus, error)) {
    const std::string name = entry.path().filename();
    const auto cpu = name.starts_with("cpu") ? number_after(name, 3) : std::nullopt;
    const auto package = read_number(entry.path() / "topology" / "physical_package_id");
    const auto core = read_number(entry.path() / "topology" / "core_id");
    if (cpu && package && core) {
      place_of_cpu[*cpu] = {*package, *core};
      cores[{*package, *core}] = 0;
    }
  }
  std::uint32_t next = 0;
  for (auto& [place, index] : cores) {
    index = next++;
  }
  std::map<unsigned, std::uint32_t> core_of_cpu;
  for (const auto& [cpu, place] : place_of_cpu) {
    core_of_cpu[cpu] = cores[place];
  }
  return core_of_cpu;
}

}  // namespace ridge::platform
