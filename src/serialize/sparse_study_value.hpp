// What writer and reader of ridge.spmv/1 share.
#pragma once

#include <string_view>

namespace ridge::serialize {

inline constexpr std::string_view kSparseStudySchema = "ridge.spmv/1";

/// '0' to '9' in a picture; '.' stands for no entry.
inline constexpr int kPictureShades = 10;

}  // namespace ridge::serialize
