#include "measure/instrumented/code/program_file.hpp"

#include <cstring>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  }
  return text;
}

bool holds(std::span<const std::uint8_t> file, std::span<const std::byte> blob) {
  return memmem(file.data(), file.size(), blob.data(), blob.size()) != nullptr;
}

}  // namespace

std::optional<std::string> difference(const machine_code::ElfImage& image,
                                      std::span<const std::uint8_t> file,
                                      const std::vector<const LoadedModule*>& modules) {
  constexpr std::string_view kRebuilt =
      "it was built anew while the program ran: measure again without building";
  for (const LoadedModule* module : modules) {
    const std::string ran = hex(module->build_id);
    if (!ran.empty() && image.build_id() && !image.build_id()->starts_with(ran)) {
      return std::string(kRebuilt);
    }
    if (!holds(file, module->blob)) {
      return std::string(kRebuilt);
    }
  }
  return std::nullopt;
}

}  // namespace ridge::measure
