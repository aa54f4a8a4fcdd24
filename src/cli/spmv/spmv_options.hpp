// Options of `ridge spmv`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "spmv/format/product.hpp"

namespace ridge::cli {

struct SpmvOptions {
  std::optional<std::string> matrix;    ///< a file
  std::optional<std::string> generate;  ///< a generator, in place of a file
  std::vector<spmv::Format> formats;
  std::vector<unsigned> threads;
  std::vector<spmv::Schedule> schedules;
  std::vector<unsigned> vectors;
  std::vector<unsigned> powers;
  std::optional<double> traffic_bytes;  ///< measured, of one CSR product
  std::optional<std::string> output;    ///< its ending says the format
  std::optional<std::string> title;     ///< of the picture; empty: none
  std::optional<std::string> style;     ///< "screen" or "paper"
  unsigned index_bits = 0;              ///< 0: as many as it takes
  bool quick = false;
  bool json = false;
  bool ascii = false;
  bool force = false;
};

/// nullopt: `--help` was printed.
[[nodiscard]] Result<std::optional<SpmvOptions>> parse_spmv_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
