#include "measure/binary/stacks/stack_places.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "measure/binary/stacks/call_stack.hpp"

namespace ridge::measure::binary {
namespace {

/// What --mpi and --libraries put between a program and its libraries is no caller of theirs.
bool is_layer(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  return name == "libridge_mpi.so" || name == "libridge_libraries.so";
}

/// Adds places that are not there yet.
class PlaceIndex {
 public:
  explicit PlaceIndex(SampledCode& code) : code_(code) {
    for (std::uint32_t i = 0; i < code.files.size(); ++i) {
      files_.emplace(code.files[i], i);
    }
    for (std::uint32_t i = 0; i < code.places.size(); ++i) {
      places_.emplace(std::pair(code.places[i].file, code.places[i].offset), i);
    }
  }

  PlaceStack stack(const std::vector<CodeAt>& frames) {
    PlaceStack stack;
    for (const CodeAt& frame : frames) {
      if (!is_layer(frame.path)) {
        stack.push_back(place(std::string(frame.path), frame.offset));
      }
    }
    return stack;
  }

  std::uint32_t place(const std::string& path, std::uint64_t offset) {
    return place(file(path), offset);
  }

 private:
  std::uint32_t file(const std::string& path) {
    const auto [found, is_new] =
        files_.emplace(path, static_cast<std::uint32_t>(code_.files.size()));
    if (is_new) {
      code_.files.push_back(path);
    }
    return found->second;
  }

  std::uint32_t place(std::uint32_t file, std::uint64_t offset) {
    const auto [found, is_new] =
        places_.emplace(std::pair(file, offset), static_cast<std::uint32_t>(code_.places.size()));
    if (is_new) {
      code_.places.push_back({file, offset});
    }
    return found->second;
  }

  SampledCode& code_;
  std::map<std::string, std::uint32_t> files_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> places_;
};

std::optional<CodeAt> timed_code(const platform::StackSample& stack,
                                 std::span<const platform::CodeMapping> mappings,
                                 std::uint64_t address) {
  const auto code = std::ranges::lower_bound(stack.code, address, {},
                                             &platform::StackSample::CodeAddress::address);
  if (code == stack.code.end() || code->address != address || code->mapping >= mappings.size()) {
    return std::nullopt;
  }
  const platform::CodeMapping& mapping = mappings[code->mapping];
  if (mapping.path.empty()) {
    return std::nullopt;
  }
  return CodeAt{file_now(mapping.path), address - mapping.begin + mapping.file_offset};
}

/// Where code of a process lay, the newest where several lay there one after another.
class RecordedCode {
 public:
  explicit RecordedCode(const Record& record) {
    for (const auto& [number, mapping] : record.mappings) {
      by_begin_[mapping.begin] = &mapping;
    }
  }

  [[nodiscard]] std::optional<CodeAt> find(std::uint64_t address) const {
    const auto behind = by_begin_.upper_bound(address);
    if (behind == by_begin_.begin()) {
      return std::nullopt;
    }
    const RecordedMapping& mapping = *std::prev(behind)->second;
    if (address >= mapping.end || !mapping.path || mapping.path->empty()) {
      return std::nullopt;
    }
    return CodeAt{*mapping.path, address - mapping.begin + mapping.file_offset};
  }

 private:
  std::map<std::uint64_t, const RecordedMapping*> by_begin_;
};

}  // namespace

void set_timed_stacks(SampledCode& code, std::span<const platform::StackSample> stacks,
                      std::span<const platform::CodeMapping> mappings, CodeFiles& files) {
  PlaceIndex places(code);
  StackUnwinder unwinder(files);
  code.stacks.clear();
  for (const platform::StackSample& stack : stacks) {
    const auto frames = unwinder.unwind(
        {0, stack.registers, stack.words},
        [&](std::uint64_t address) { return timed_code(stack, mappings, address); });
    code.stacks.push_back(places.stack(frames));
  }
}

std::vector<std::uint32_t> add_places(
    SampledCode& code, std::span<const std::pair<std::string, std::uint64_t>> places) {
  PlaceIndex index(code);
  std::vector<std::uint32_t> found;
  for (const auto& [path, offset] : places) {
    found.push_back(index.place(path, offset));
  }
  return found;
}

void set_counted_stacks(SampledCode& code, std::span<const Record> processes, CodeFiles& files) {
  PlaceIndex places(code);
  StackUnwinder unwinder(files);
  code.counted_stacks.clear();
  for (const Record& record : processes) {
    const RecordedCode recorded(record);
    for (const SampledStack& stack : record.stacks) {
      const auto frames =
          unwinder.unwind(stack, [&](std::uint64_t address) { return recorded.find(address); });
      code.counted_stacks.push_back(places.stack(frames));
    }
  }
}

}  // namespace ridge::measure::binary
