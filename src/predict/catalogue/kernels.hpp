// The catalogue of kernels: work and least traffic as formulas. One more kernel = one row of the
// table in kernels.cpp. Formulas with their sources: docs/theory/kernels.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/value/demand.hpp"

namespace ridge::predict {

/// Amounts are computed in a type that holds every product of two counts exactly up to 2^64; what
/// comes out above 2^53 is refused.
using Amount = long double;

/// Values of a kernel's parameters, all of them checked.
class Parameters {
 public:
  Parameters(std::vector<std::pair<std::string_view, Amount>> values, unsigned element_bytes)
      : values_(std::move(values)), element_bytes_(element_bytes) {}

  /// The kernel's table row has the name.
  [[nodiscard]] Amount operator[](std::string_view name) const;
  /// Bytes of one element of the precision.
  [[nodiscard]] Amount element() const { return element_bytes_; }
  [[nodiscard]] const std::vector<std::pair<std::string_view, Amount>>& all() const {
    return values_;
  }

 private:
  std::vector<std::pair<std::string_view, Amount>> values_;
  unsigned element_bytes_;
};

/// As OperationCounts, before it is checked and rounded.
struct WorkAmounts {
  Amount add = 0, mul = 0, fma = 0, div = 0, sqrt = 0, any = 0, other = 0, intops = 0;
};
/// As StreamTraffic.
struct ByteAmounts {
  Amount read = 0, written = 0, allocate = 0;
};

enum class Domain {
  size,      ///< a whole number from 1 to 2^53
  offset,    ///< a whole number from 0 to 2^53
  positive,  ///< a real number above 0
  fraction,  ///< a real number above 0, at most 1
  real,      ///< a real number from 0
  flag,      ///< 0 or 1
};

struct KernelParameter {
  std::string_view name;
  std::string_view meaning;
  /// Empty: must be given. Else a number, the name of an earlier parameter, NAME/NAME, or "e",
  /// the bytes of an element.
  std::string_view fallback;
  Domain domain = Domain::size;
};

/// Where data cross on a GPU.
enum class GpuBoundary {
  registers,       ///< of the threads, from L1 or shared memory
  multiprocessor,  ///< from what multiprocessors share
  device,          ///< below a cache of all of them
};

struct Kernel {
  std::string_view name;
  std::string_view summary;
  std::span<const KernelParameter> parameters;
  std::string_view work_formula;
  std::string_view traffic_formula;  ///< least traffic in byte; e = bytes of an element
  std::string_view cache_formula;    ///< empty: no formula for smaller caches is known
  std::string_view source;
  bool matrix = false;  ///< Demand::matrix
  /// Each thread needs room in the cache for itself: a shared cache counts with a thread's share.
  bool per_thread = false;
  WorkAmounts (*work)(const Parameters&);
  ByteAmounts (*least)(const Parameters&);
  /// Traffic below a cache of so many bytes; 0 bytes: between registers and L1, every access of the
  /// loop as it is written. nullptr: no formula.
  ByteAmounts (*below)(const Parameters&, Amount cache_bytes);
  /// What the parameters must satisfy together; nullptr, or a function that gives what is wrong
  /// (empty: nothing).
  std::string_view (*complaint)(const Parameters&);
  /// `below` on a GPU, where the threads of a warp read neighbours with one access and the blocks
  /// of a multiprocessor share what it holds; nullptr: as `below`.
  ByteAmounts (*below_on_gpu)(const Parameters&, GpuBoundary boundary,
                              Amount cache_bytes) = nullptr;
  /// Bytes of all data; nullptr: what is read, and what is written without being read.
  Amount (*working_set)(const Parameters&) = nullptr;
  /// Every core needs all of the data, not its part of them.
  bool shared_data = false;
  /// As many products as the registers hold are blocked in them: `below` takes their size too.
  bool blocks_registers = false;
};

[[nodiscard]] std::span<const Kernel> kernels();
/// nullptr when there is none of this name.
[[nodiscard]] const Kernel* find_kernel(std::string_view name);

/// One "n=4000" of the command line, taken apart.
struct Assignment {
  std::string name;
  std::string value;
};
/// Error: `usage` when there is no "=" or nothing on one side of it.
[[nodiscard]] Result<Assignment> parse_assignment(std::string_view text);

/// Numbers may be written "4096", "1e6", "4k", "2M", "1G" (powers of 1000; Ki, Mi, Gi of 1024).
[[nodiscard]] std::optional<Amount> parse_amount(std::string_view text);

/// A kernel with its sizes.
struct SizedKernel {
  const Kernel* kernel = nullptr;
  Parameters parameters;
  Demand demand;

  /// Traffic below a cache of so many bytes. nullopt: no formula, or above 2^53 bytes.
  [[nodiscard]] std::optional<StreamTraffic> below(double cache_bytes) const;
  /// The same of a GPU.
  [[nodiscard]] std::optional<StreamTraffic> below_on_gpu(GpuBoundary boundary,
                                                          double cache_bytes) const;
  /// Bytes of all data that the kernel reads or writes.
  [[nodiscard]] double working_set() const;
};

/// Errors, `bad_input` with the parameter's name: unknown (`parameter_names` are those that exist),
/// missing, given twice, not a number, outside its domain; work or traffic above 2^53.
[[nodiscard]] Result<SizedKernel> size_kernel(const Kernel& kernel,
                                              const std::vector<Assignment>& given,
                                              std::string_view precision);
[[nodiscard]] std::vector<std::string> parameter_names(const Kernel& kernel);

/// A value to try for one parameter, whole or not.
struct Trial {
  std::string_view name;
  Amount value = 0;
};
/// The parameters with that value, what `given` says of others, and fallbacks. Errors: as
/// size_kernel.
[[nodiscard]] Result<Parameters> parameters_with(const Kernel& kernel,
                                                 const std::vector<Assignment>& given,
                                                 std::string_view precision, const Trial& trial);

}  // namespace ridge::predict
