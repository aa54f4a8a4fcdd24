#include "measure/binary/engines/bolt_patch.hpp"

#include <algorithm>
#include <array>
#include <elf.h>
#include <string_view>

#include "machine_code/byte_reader.hpp"
#include "machine_code/function.hpp"

namespace ridge::measure::binary {
namespace {

/// None of them runs code of the program in a thread that the program did not ask for.
constexpr std::array<std::string_view, 9> kQuietLibraries{
    "libc.so.6",        "libm.so.6",        "libstdc++.so.6",  "libgcc_s.so.1",
    "libgfortran.so.5", "libquadmath.so.0", "libpthread.so.0", "ld-linux-x86-64.so.2",
    "libmvec.so.1"};

/// Begins of names. std::thread and std::async are templates of the program around _M_start_thread.
constexpr std::array<std::string_view, 17> kStarters{
    "pthread_create", "thrd_create", "clone",         "__clone", "fork",        "vfork",
    "_Fork",          "__fork",      "forkpty",       "daemon",  "dl",          "syscall",
    "timer_create",   "mq_notify",   "getaddrinfo_a", "lio_",    "_ZNSt6thread"};

bool starts_something(std::string_view name) {
  return name.starts_with("aio_") ||
         std::any_of(kStarters.begin(), kStarters.end(),
                     [&](std::string_view each) { return name.starts_with(each); });
}

bool needs_quiet_libraries(const machine_code::ElfImage& program) {
  const machine_code::Section* dynamic = program.section(".dynamic");
  if (dynamic == nullptr || dynamic->link >= program.sections().size()) {
    return false;
  }
  const auto text_bytes = program.sections()[dynamic->link].bytes;
  const std::string_view text(reinterpret_cast<const char*>(text_bytes.data()), text_bytes.size());
  machine_code::ByteReader reader(dynamic->bytes);
  for (auto entry = reader.take<Elf64_Dyn>(); !reader.failed(); entry = reader.take<Elf64_Dyn>()) {
    if (entry.d_tag != DT_NEEDED) {
      continue;
    }
    const std::string_view rest =
        entry.d_un.d_val < text.size() ? text.substr(entry.d_un.d_val) : std::string_view{};
    if (std::find(kQuietLibraries.begin(), kQuietLibraries.end(),
                  rest.substr(0, rest.find('\0'))) == kQuietLibraries.end()) {
      return false;
    }
  }
  return true;
}

bool has_system_calls(const machine_code::ElfImage& program) {
  const auto ranges = machine_code::function_ranges(program);
  if (!ranges) {
    return true;
  }
  return std::any_of(ranges->begin(), ranges->end(), [&](const auto& range) {
    const auto function = machine_code::read_function(program, range);
    return !function || std::any_of(function->instructions.begin(), function->instructions.end(),
                                    [](const machine_code::Instruction& each) {
                                      return each.flow == machine_code::Flow::system_call;
                                    });
  });
}

}  // namespace

bool runs_in_one_thread(const machine_code::ElfImage& program) {
  const auto imports = program.import_slots();
  return needs_quiet_libraries(program) &&
         std::none_of(imports.begin(), imports.end(),
                      [](const auto& slot) { return starts_something(slot.name); }) &&
         !has_system_calls(program);
}

Result<std::vector<std::uint8_t>> without_locks(std::span<const std::uint8_t> instrumented) {
  constexpr std::array<std::uint8_t, 4> kIncrement{0xf0, 0x48, 0xff, 0x05};  // lock inc [rip + d]
  constexpr std::uint64_t kBytes = 8;
  constexpr std::uint8_t kNoSegment = 0x3e;
  const auto image = machine_code::ElfImage::read(instrumented);
  if (!image) {
    return tl::make_unexpected(image.error());
  }
  const machine_code::Section* counters = image->section(".bolt.instr.counters");
  if (counters == nullptr) {
    return fail(ErrorCode::bad_input, "the program was not instrumented by BOLT");
  }
  std::vector<std::uint8_t> patched(instrumented.begin(), instrumented.end());
  for (const machine_code::Section& section : image->sections()) {
    if (!section.executable) {
      continue;
    }
    const auto bytes = section.bytes;
    for (auto at = bytes.begin();
         (at = std::search(at, bytes.end(), kIncrement.begin(), kIncrement.end())) != bytes.end();
         ++at) {
      const auto offset = static_cast<std::uint64_t>(at - bytes.begin());
      const auto distance = machine_code::value_at<std::int32_t>(bytes, offset + 4);
      const std::uint64_t target = section.address + offset + kBytes +
                                   static_cast<std::uint64_t>(std::int64_t{distance.value_or(0)});
      if (distance && target >= counters->address && target - counters->address < counters->size) {
        patched[static_cast<std::size_t>(&*at - instrumented.data())] = kNoSegment;
      }
    }
  }
  return patched;
}

}  // namespace ridge::measure::binary
