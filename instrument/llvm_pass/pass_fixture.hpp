// Compiles a source of testdata/ with the plugin, runs it with the test runtime and reads the sums.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/temporary_folder.hpp"

namespace ridge::pass_test {

struct Region {
  uint32_t kind = 0;
  int64_t parent = -1;
  std::string name;
  std::string function;
  uint32_t line = 0;
  uint32_t versions = 0;
  std::string inlined_at;
  uint64_t bytes_traced[2] = {0, 0};  ///< read, written
};

struct Sum {
  uint64_t region = 0;
  uint32_t quantity = 0;
  uint32_t precision = 0;
  uint32_t operation = 0;
  uint32_t width_bits = 0;
  std::string name;
  uint64_t value = 0;
};

/// The thread's region when the program called probe(line).
struct Probe {
  uint32_t line = 0;
  uint64_t region = 0;
};

/// Iterations each time a loop was entered.
struct Trips {
  uint64_t shortest = 0;
  uint64_t longest = 0;
};

struct Counts {
  int status = -1;  ///< of the shell: exit code, or 128 + signal
  std::string output;
  uint64_t final_depth = 0;
  std::vector<std::string> errors;
  std::map<uint64_t, Region> regions;
  std::vector<Sum> sums;
  std::vector<Probe> probes;
  std::map<uint64_t, Trips> trips;  ///< by region, in traffic mode

  /// Sum of a quantity over all regions of a machine function.
  [[nodiscard]] uint64_t total(const std::string& function, uint32_t quantity) const;
  /// The same for flops of one operation.
  [[nodiscard]] uint64_t flops(const std::string& function, uint32_t operation) const;
  /// Sum of a quantity with a name (CALLS, OPAQUE).
  [[nodiscard]] uint64_t named(const std::string& function, const std::string& name) const;
  /// Sum of a quantity in the loops of a function at nesting `depth` (0: not in a loop).
  [[nodiscard]] uint64_t at_depth(const std::string& function, unsigned depth,
                                  uint32_t quantity) const;
  [[nodiscard]] unsigned loop_depth(uint64_t region) const;
  /// Over the loops of a function at nesting `depth`; nullopt when none was told.
  [[nodiscard]] std::optional<Trips> trips_at(const std::string& function, unsigned depth) const;
};

/// A program built once with the plugin and once without.
class Program {
 public:
  /// `source` is a path below testdata/, or absolute. The compiler's complaints end up in
  /// `error()`.
  Program(const std::string& source, const std::string& flags);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] Counts run(const std::string& environment = "") const;
  [[nodiscard]] Counts run_traffic() const { return run("RIDGE_TEST_TRAFFIC=1"); }
  [[nodiscard]] Counts run_plain() const;
  /// `objdump -d` of the object file with the plugin.
  [[nodiscard]] std::string disassembly() const;

 private:
  const tests::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  std::string error_;
};

/// Of this machine, by its name in /proc/cpuinfo.
[[nodiscard]] bool has_cpu_feature(const std::string& feature);
/// Whether this machine can run code built with these flags, as far as they name a level of x86-64.
[[nodiscard]] bool runs_here(const std::string& flags);

}  // namespace ridge::pass_test
