// The figures of a computation by key, as the command line and files of points give them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "predict/roof/computation.hpp"

namespace ridge::cli {

/// "work" = "20Mflop", "work.fma" = "2e7", "bytes.DRAM" = "240MB", "time" = "1.2ms".
struct PointFigure {
  std::string key;
  std::string value;
};

/// Keys: name, precision, work, work.KIND, bytes, bytes.LEVEL, balance, intensity, time,
/// performance. Errors, `bad_input` with the key: an unknown one, one that is given twice, a value
/// that is no such quantity.
[[nodiscard]] Result<void> set_figure(predict::ComputationFigures& figures,
                                      const PointFigure& figure);

/// Options of a command that give one computation: --work 2e7, --bytes DRAM=240MB ...
struct FigureOptions {
  std::vector<std::string> work;  ///< "2e7" or "fma=2e7"
  std::vector<std::string> bytes;
  std::optional<std::string> balance;
  std::optional<std::string> intensity;
  std::optional<std::string> performance;
  std::optional<std::string> time;
  std::optional<std::string> precision;
};

/// Errors, `usage` with the option: those of set_figure().
[[nodiscard]] Result<predict::ComputationFigures> figures_from(const FigureOptions& options);

/// What was measured on one machine.
struct MeasuredFigure {
  std::optional<double> seconds;
  std::optional<double> performance;  ///< flop/s
};
using MeasuredOn = std::map<std::string, MeasuredFigure>;  ///< by the machine's key

/// "time.v100", "performance.v100".
[[nodiscard]] bool is_measured_on(std::string_view key);

/// Errors, `bad_input` with the key: no machine is named, one that has a figure already, no such
/// quantity, no time above 0.
[[nodiscard]] Result<void> set_measured_on(MeasuredOn& measured, const PointFigure& figure);

}  // namespace ridge::cli
