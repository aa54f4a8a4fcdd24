#include "measure/binary/module_files.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>
#include <zlib.h>

#include <fmt/format.h>

#include "machine_code/elf_image.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::ElfImage;

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  }
  return text;
}

std::unique_ptr<MappedFile> open(const std::string& path) {
  auto file = std::make_unique<MappedFile>(path);
  return file->bytes().empty() ? nullptr : std::move(file);
}

/// "" where the environment does not say.
std::string environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before threads start
  return value != nullptr ? value : "";
}

std::vector<std::string> by_build_id(const std::string& id) {
  std::vector<std::string> paths;
  if (id.size() <= 2) {
    return paths;
  }
  paths.push_back(
      fmt::format("/usr/lib/debug/.build-id/{}/{}.debug", id.substr(0, 2), id.substr(2)));
  std::vector<std::string> caches{environment("DEBUGINFOD_CACHE_PATH")};
  if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) {
    caches.push_back(cache + "/debuginfod_client");
  }
  if (const std::string home = environment("HOME"); !home.empty()) {
    caches.push_back(home + "/.cache/debuginfod_client");
    caches.push_back(home + "/.debuginfod_client_cache");
  }
  for (const std::string& cache : caches) {
    if (!cache.empty()) {
      paths.push_back(fmt::format("{}/{}/debuginfo", cache, id));
    }
  }
  return paths;
}

struct DebugLink {
  std::string name;
  std::uint32_t checksum = 0;
};

/// A name, filled up with zeros to a multiple of four, and the checksum.
std::optional<DebugLink> debug_link(const ElfImage& image) {
  const machine_code::Section* section = image.section(".gnu_debuglink");
  if (section == nullptr || section->bytes.size() < 8) {
    return std::nullopt;
  }
  const auto bytes = section->bytes;
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const std::size_t length = strnlen(text, bytes.size() - 4);
  const std::size_t at = (length / 4 + 1) * 4;
  if (length == 0 || at + 4 > bytes.size()) {
    return std::nullopt;
  }
  DebugLink link{std::string(text, length), 0};
  std::memcpy(&link.checksum, bytes.data() + at, sizeof link.checksum);
  // A path would lead out of the folders where such files belong.
  return link.name.find('/') == std::string::npos ? std::optional(std::move(link)) : std::nullopt;
}

std::uint32_t checksum(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 30U;
  uLong sum = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kAtOnce));
    sum = crc32(sum, part.data(), static_cast<uInt>(part.size()));
    bytes = bytes.subspan(part.size());
  }
  return static_cast<std::uint32_t>(sum);
}

std::unique_ptr<MappedFile> by_link(const std::string& path, const DebugLink& link) {
  std::error_code error;
  const std::string folder = std::filesystem::absolute(path, error).parent_path();
  for (const std::string& candidate :
       {fmt::format("{}/{}", folder, link.name), fmt::format("{}/.debug/{}", folder, link.name),
        fmt::format("/usr/lib/debug{}/{}", folder, link.name)}) {
    auto file = candidate != path ? open(candidate) : nullptr;
    if (file && checksum(file->bytes()) == link.checksum) {
      return file;
    }
  }
  return nullptr;
}

bool has_debug_info(const ElfImage& image) {
  return image.section(".debug_info") != nullptr || image.section(".zdebug_info") != nullptr;
}

std::unique_ptr<MappedFile> find_debug_file(const std::string& path, const ElfImage& image) {
  for (const std::string& candidate : by_build_id(image.build_id().value_or(""))) {
    if (auto file = open(candidate)) {
      return file;
    }
  }
  const auto link = debug_link(image);
  return link ? by_link(path, *link) : nullptr;
}

}  // namespace

ModuleFiles::ModuleFiles(std::string path, std::span<const std::byte> build_id)
    : path_(std::move(path)), program_(path_.empty() ? nullptr : open(path_)) {
  const auto image = program_ ? ElfImage::read(program_->bytes())
                              : Result<ElfImage>(fail(ErrorCode::bad_input, "there is no file"));
  if (!image) {
    return;
  }
  const std::string ran = hex(build_id);
  if (!ran.empty() && image->build_id() && !image->build_id()->starts_with(ran)) {
    replaced_ = true;
    program_.reset();
    return;
  }
  if (!has_debug_info(*image)) {
    debug_ = find_debug_file(path_, *image);
  }
}

ModuleFile ModuleFiles::file() const {
  return {path_, program_ ? program_->bytes() : std::span<const std::uint8_t>{},
          debug_ ? debug_->bytes() : std::span<const std::uint8_t>{}};
}

}  // namespace ridge::measure::binary
