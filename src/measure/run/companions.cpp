#include "measure/run/companions.hpp"

#include <system_error>

namespace ridge::measure {

std::filesystem::path companion(std::string_view name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path().parent_path() / "lib" / "ridge" / name).lexically_normal();
}

}  // namespace ridge::measure
