// Files of computations: CSV with a line of names, or JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/common/point_figures.hpp"
#include "core/result.hpp"
#include "predict/roof/computation.hpp"

namespace ridge::cli {

struct PointOfFile {
  predict::ComputationFigures figures;
  std::string place;         ///< "points.csv:3"
  MeasuredOn measured_on{};  ///< of keys such as time.v100
};

/// `text` is CSV: a first line with the keys of point_figures.hpp as column names, then a line for
/// each point; empty cells are not known, lines that begin with # and empty ones are skipped, a
/// cell may stand in double quotes. Or, where its first character is [ or {, JSON: a list of
/// objects with these keys, or an object with such a list as "points"; "work" and "bytes" may be
/// objects by kind and level. A point without a name is called by its place. Errors: `bad_input`
/// with file, line and key; no point at all.
[[nodiscard]] Result<std::vector<PointOfFile>> parse_points(std::string_view text,
                                                            const std::string& file_name);

/// Of a file. Errors besides: `bad_input` when it cannot be read.
[[nodiscard]] Result<std::vector<PointOfFile>> read_points(const std::string& file);

}  // namespace ridge::cli
