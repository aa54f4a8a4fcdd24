// Whose calls led to where a thread was: the return addresses on its stack.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/binary/program_code.hpp"
#include "measure/binary/record/sampled_stack.hpp"
#include "measure/binary/stacks/frame_rules.hpp"

namespace ridge::measure::binary {

/// An instruction in a file.
struct CodeAt {
  std::string_view path;     ///< not empty
  std::uint64_t offset = 0;  ///< in the file

  friend bool operator==(const CodeAt&, const CodeAt&) = default;
};

/// What lies at an address in memory; nullopt for what is no code of a file.
using CodeLookup = std::function<std::optional<CodeAt>(std::uint64_t address)>;

/// Whether the last bytes of `code` read as a call. They may be something else by chance.
[[nodiscard]] bool ends_with_call(std::span<const std::uint8_t> code);

/// Keeps the rules of each file that it has met.
class StackUnwinder {
 public:
  explicit StackUnwinder(CodeFiles& files) : files_(files) {}

  /// First where the thread was, then the call that led there, and so on outwards, as far as the
  /// stack was copied and its frames are understood: by the rules of the file, and where a function
  /// has none (kernels in assembler) by its first instructions. Empty where the thread was in no
  /// file.
  [[nodiscard]] std::vector<CodeAt> unwind(const SampledStack& stack, const CodeLookup& lookup);

 private:
  /// A frame, and all that is known to find its caller.
  struct Frame {
    CodeAt code;
    FrameRegisters registers;
  };

  struct Module {
    FrameRules rules;
    std::vector<machine_code::FunctionSymbol> functions;  ///< by address
  };

  [[nodiscard]] const Module& module_of(std::string_view path);
  [[nodiscard]] tl::expected<FrameStep, NoStep> by_rules(const Frame& frame,
                                                         const StackMemory& memory,
                                                         const CodeLookup& lookup);
  [[nodiscard]] tl::expected<FrameStep, NoStep> step(const Frame& frame, const StackMemory& memory,
                                                     const CodeLookup& lookup);
  [[nodiscard]] std::optional<FrameStep> by_prologue(const Frame& frame, const StackMemory& memory,
                                                     const CodeLookup& lookup);
  [[nodiscard]] bool is_return_address(std::uint64_t address, const CodeLookup& lookup);

  CodeFiles& files_;
  std::map<std::string, std::unique_ptr<Module>, std::less<>> modules_;
};

}  // namespace ridge::measure::binary
