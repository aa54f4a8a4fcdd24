// A compiled function and what it is to be called with.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"
#include "core/value/note.hpp"

namespace ridge::execute {

enum class Element { fp64, fp32, int8, int16, int32, int64 };

[[nodiscard]] std::uint64_t bytes_of(Element element);

/// Memory that an argument points to. Without contents floating-point elements are normal numbers
/// between 1 and 2 in no order, and integers count up from 0: valid indices.
struct Array {
  std::string name;  ///< of the source, for messages
  Element element = Element::fp64;
  std::uint64_t extent = 0;  ///< elements, at least 1
  std::uint64_t before = 0;  ///< of these in front of what the argument points to
  std::int64_t below = 0;    ///< integers that count up begin anew there; 0: they do not
  std::vector<std::int64_t> integers{};  ///< contents, again and again up to the extent
  std::vector<double> reals{};           ///< likewise
};

struct Integer {
  std::string name;
  std::int64_t value = 0;
  unsigned bytes = 8;  ///< 1, 2, 4 or 8
  bool is_signed = true;
};

struct Real {
  std::string name;
  double value = 1.0;
  bool is_fp32 = false;
};

using Argument = std::variant<Array, Integer, Real>;

/// A variable of the object. Arrays are filled where they lie, or, where the variable is a pointer,
/// made and pointed to. Not those that are `static`: the object does not say where they lie.
struct Global {
  std::string symbol;
  Argument value;
  bool is_pointer = false;
};

struct Call {
  std::string object;               ///< file: a shared object
  std::string symbol;               ///< of the function, as the linker knows it
  std::vector<Argument> arguments;  ///< in the order of the source
  std::vector<Global> globals;
  Seconds budget{0.2};     ///< for samples; up to four times it where calls are long
  Seconds long_call{1.0};  ///< what takes longer is timed twice at most
  std::chrono::milliseconds limit{10'000};  ///< for everything, loading and filling included
  std::optional<unsigned> cpu{};            ///< to run on; nullopt: the first that is allowed
};

/// Of one call, on the CPU. Its arrays are as warm as the call before left them.
struct Measured {
  Estimate<Seconds> seconds;
  /// Of the core, by the clock probe beside each sample; nullopt: only the first call was timed.
  std::optional<Estimate<Cycles>> cycles;
  std::uint64_t calls_per_sample = 1;
  std::vector<Note> notes;
};

}  // namespace ridge::execute
