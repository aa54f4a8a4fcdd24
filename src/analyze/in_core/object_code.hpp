// The functions of an object file or a linked one, and the lines of their instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "machine_code/function.hpp"

namespace ridge::analyze {

/// Where an instruction comes from.
struct SourcePlace {
  std::string file;
  unsigned line = 0;  ///< 0: unknown
};

/// A function that was found but not taken apart yet.
struct ObjectFunction {
  std::string symbol;                  ///< empty: none (a stripped file)
  std::string name;                    ///< as the source has it, where debug information tells
  std::uint64_t address = 0;           ///< in its section, of a file that is not linked
  std::uint64_t section = 0;           ///< as LLVM numbers them
  std::span<const std::uint8_t> code;  ///< of the file's bytes
};

/// Refers to the bytes that it was read from.
class ObjectCode {
 public:
  /// Errors: `bad_input` for what is no ELF file of x86-64, `name` in the message.
  [[nodiscard]] static Result<ObjectCode> read(std::string_view object, const std::string& name);

  ObjectCode(ObjectCode&&) noexcept;
  ObjectCode& operator=(ObjectCode&&) noexcept;
  ~ObjectCode();

  /// In the order of sections and addresses.
  [[nodiscard]] const std::vector<ObjectFunction>& functions() const;
  [[nodiscard]] Result<machine_code::Function> take_apart(const ObjectFunction& function) const;
  [[nodiscard]] SourcePlace place_of(const ObjectFunction& function, std::uint64_t address) const;

 private:
  struct Parts;
  explicit ObjectCode(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace ridge::analyze
