// The file that one rank leaves: a record of bytes, not JSON, for there may be many thousands.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/rank_record.hpp"

namespace ridge::serialize {

/// The profile's machine is left out.
[[nodiscard]] std::string write_rank_record(const RankRecord& record);

/// Errors: bad_input, with `file_name`: no such record, damaged, or of another version of Ridge.
[[nodiscard]] Result<RankRecord> parse_rank_record(std::string_view bytes,
                                                   std::string_view file_name);

}  // namespace ridge::serialize
