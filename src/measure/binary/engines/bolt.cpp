#include "measure/binary/engines/bolt.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <elf.h>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "machine_code/byte_reader.hpp"
#include "machine_code/elf_image.hpp"
#include "measure/binary/engines/bolt_patch.hpp"
#include "measure/binary/engines/bolt_record.hpp"
#include "measure/binary/engines/bolt_symbols.hpp"
#include "measure/binary/engines/bolt_tables.hpp"
#include "measure/code/mapped_file.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"

namespace ridge::measure::binary {
namespace {

constexpr auto kLimit = std::chrono::minutes(30);

Result<std::string> find_bolt() {
  for (const char* name : {"llvm-bolt-19", "llvm-bolt"}) {
    if (auto found = platform::find_program(name)) {
      return *found;
    }
  }
  return fail(ErrorCode::unavailable, "llvm-bolt is not installed",
              "Install the package bolt-19, or use another engine.");
}

Result<machine_code::ElfImage> read_program(const MappedFile& file, const std::string& path) {
  auto image = machine_code::ElfImage::read(file.bytes());
  if (!image) {
    Error error = image.error();
    error.message = fmt::format("{}: {}", path, error.message);
    return tl::make_unexpected(std::move(error));
  }
  return image;
}

Result<void> check_program(const machine_code::ElfImage& image, const std::string& path) {
  const auto has_relocations = [](const machine_code::Section& section) {
    return section.type == SHT_RELA && !section.loaded && section.name.starts_with(".rela.text");
  };
  if (image.architecture() != machine_code::Architecture::x86_64) {
    return fail(ErrorCode::unavailable, fmt::format("{} is not for x86-64", path),
                "Use another engine.");
  }
  // BOLT leaves some code of the C library where it was, which may enter old code that counts
  // nothing.
  if (image.section(".interp") == nullptr) {
    return fail(ErrorCode::unavailable,
                fmt::format("{} is a library or was linked statically", path),
                "Link it dynamically, or use another engine.");
  }
  if (std::none_of(image.sections().begin(), image.sections().end(), has_relocations)) {
    return fail(ErrorCode::unavailable, fmt::format("{} was linked without relocations", path),
                "Link it with -Wl,--emit-relocs and do not strip it, or use another engine.");
  }
  return {};
}

/// From /usr/lib, where BOLT looks for its run-time library whatever it is given.
std::string from_library_folder(const std::filesystem::path& path) {
  std::string up;
  for (int i = 0; i < 16; ++i) {  // more than there are: the root is its own parent
    up += "../";
  }
  return up + path.string().substr(1);
}

/// Folders of DT_RPATH and DT_RUNPATH that are relative to the program.
std::vector<std::string> folders_beside(const machine_code::ElfImage& image,
                                        const std::filesystem::path& program) {
  constexpr std::string_view kOrigin = "$ORIGIN";
  constexpr std::string_view kBraces = "${ORIGIN}";
  const machine_code::Section* dynamic = image.section(".dynamic");
  if (dynamic == nullptr || dynamic->link >= image.sections().size()) {
    return {};
  }
  const auto text_bytes = image.sections()[dynamic->link].bytes;
  const std::string_view text(reinterpret_cast<const char*>(text_bytes.data()), text_bytes.size());
  std::vector<std::string> folders;
  machine_code::ByteReader reader(dynamic->bytes);
  for (auto entry = reader.take<Elf64_Dyn>(); !reader.failed(); entry = reader.take<Elf64_Dyn>()) {
    const bool is_path = entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH;
    if (!is_path || entry.d_un.d_val >= text.size()) {
      continue;
    }
    std::string_view left = text.substr(entry.d_un.d_val);
    left = left.substr(0, left.find('\0'));
    while (!left.empty()) {
      const std::string_view folder = left.substr(0, left.find(':'));
      left.remove_prefix(std::min(left.size(), folder.size() + 1));
      for (const std::string_view origin : {kOrigin, kBraces}) {
        if (folder.starts_with(origin)) {
          folders.push_back(program.parent_path().string() +
                            std::string(folder.substr(origin.size())));
        }
      }
    }
  }
  return folders;
}

std::vector<std::pair<std::string, std::string>> environment_of(
    const machine_code::ElfImage& image, const std::filesystem::path& program) {
  std::vector<std::string> folders = folders_beside(image, program);
  if (folders.empty()) {
    return {};
  }
  if (const char* now = std::getenv("LD_LIBRARY_PATH"); now != nullptr && *now != '\0') {
    folders.emplace_back(now);
  }
  return {{"LD_LIBRARY_PATH", fmt::format("{}", fmt::join(folders, ":"))}};
}

std::string last_words(const platform::Captured& ran) {
  const std::string all = ran.output + ran.errors;
  const std::size_t at = all.rfind("BOLT-ERROR: ");
  const std::string_view text = at == std::string::npos ? std::string_view(ran.errors)
                                                        : std::string_view(all).substr(at + 12);
  return std::string(text.substr(0, text.find('\n')));
}

Result<void> instrument(const std::string& bolt, const BoltProgram& program,
                        const std::filesystem::path& runtime) {
  // Every edge counts itself.
  const auto ran = platform::run_and_capture(
      {bolt, program.marked, "-instrument", "-conservative-instrumentation", "-lite=0",
       "-no-huge-pages", "-runtime-instrumentation-lib=" + from_library_folder(runtime),
       "-instrumentation-file=" + program.counters.string(), "-o", program.instrumented},
      kLimit);
  if (!ran) {
    return tl::make_unexpected(ran.error());
  }
  if (ran->status.shell_code() != 0) {
    return fail(
        ErrorCode::unavailable,
        fmt::format("llvm-bolt could not instrument {}: {}", program.program, last_words(*ran)),
        "Use another engine.");
  }
  return {};
}

Result<void> write_program(const std::string& path, std::span<const std::uint8_t> bytes) {
  const auto error = platform::replace_file(
      path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  if (error) {
    return fail(ErrorCode::write_failed, fmt::format("{}: {}", path, error.message()));
  }
  std::error_code permissions;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all, permissions);
  return permissions
             ? fail(ErrorCode::write_failed, fmt::format("{}: {}", path, permissions.message()))
             : Result<void>{};
}

Result<void> take_locks_out(const BoltProgram& program) {
  const MappedFile file(program.instrumented);
  return without_locks(file.bytes()).and_then([&](const auto& bytes) {
    return write_program(program.instrumented, bytes);
  });
}

/// Files beside `counters` that begin with its name.
std::vector<std::filesystem::path> counter_files(const std::filesystem::path& counters) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(counters.parent_path(), ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    if (at->path().filename().string().starts_with(counters.filename().string() + ".")) {
      files.push_back(at->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<void> check_bolt(const std::string& program) {
  if (const auto bolt = find_bolt(); !bolt) {
    return tl::make_unexpected(bolt.error());
  }
  const MappedFile file(program);
  return read_program(file, program).and_then([&](const machine_code::ElfImage& image) {
    return check_program(image, program);
  });
}

Result<BoltProgram> prepare_bolt(const std::string& program, const std::filesystem::path& folder,
                                 const std::filesystem::path& runtime) {
  if (auto able = check_bolt(program); !able) {
    return tl::make_unexpected(able.error());
  }
  const auto path = std::filesystem::absolute(program);
  const auto target = std::filesystem::absolute(folder);
  const MappedFile file(path);
  const auto image = read_program(file, program);
  if (!image) {
    return tl::make_unexpected(image.error());
  }
  BoltProgram prepared{path, target / path.filename(),
                       target / (path.filename().string() + ".marked"), target / "bolt_counters",
                       environment_of(*image, path)};
  return with_bolt_symbols(file.bytes(), bolt_marks(*image))
      .and_then([&](const auto& bytes) { return write_program(prepared.marked, bytes); })
      .and_then(
          [&] { return instrument(*find_bolt(), prepared, std::filesystem::absolute(runtime)); })
      .and_then(
          [&] { return runs_in_one_thread(*image) ? take_locks_out(prepared) : Result<void>{}; })
      .map([&] { return std::move(prepared); });
}

Result<std::vector<BoltRecord>> read_bolt_records(const BoltProgram& program) {
  const MappedFile file(program.program);
  const MappedFile marked_file(program.marked);
  const MappedFile instrumented_file(program.instrumented);
  const auto image = read_program(file, program.program);
  const auto marked = read_program(marked_file, program.marked);
  const auto instrumented = read_program(instrumented_file, program.instrumented);
  for (const auto* each : {&image, &marked, &instrumented}) {
    if (!*each) {
      return tl::make_unexpected(each->error());
    }
  }
  const auto tables = read_bolt_tables(*instrumented);
  if (!tables) {
    return tl::make_unexpected(tables.error());
  }
  const auto names = bolt_function_names(*marked);
  std::vector<BoltRecord> records;
  for (const std::filesystem::path& each : counter_files(program.counters)) {
    const MappedFile counters_file(each);
    if (const auto process = read_bolt_counters(counters_file.bytes())) {
      const BoltCounts counts = count_blocks(*image, *tables, names, process->counters);
      records.push_back({process->pid, bolt_record(*image, program.program, *process, counts)});
    }
  }
  return records;
}

}  // namespace ridge::measure::binary
