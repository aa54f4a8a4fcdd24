#include "serialize/described/sparse_study_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ridge::serialize {
namespace {

void check_codes(const Reader& notes) {
  for (const Reader& note : notes.items()) {
    (void)read_text(note.at("code"), {.word = true});
  }
}

}  // namespace

void Rules<SparseMatrixFacts>::check(const Reader& object, const SparseMatrixFacts& matrix) {
  if (matrix.index_bits != 32 && matrix.index_bits != 64) {
    object.at("index_bits").fail("must be 32 or 64");
  }
}

void Rules<MedianInterval>::check(const Reader& object, const MedianInterval& interval) {
  if (interval.low > interval.median || interval.median > interval.high) {
    object.fail("must have low <= median <= high");
  }
}

void Rules<describe::PairedRatio>::check(const Reader& object, const describe::PairedRatio& ratio) {
  Rules<MedianInterval>::check(object, ratio);
}

void Rules<ShadedPicture>::check(const Reader& object, const ShadedPicture& picture) {
  if (picture.most < picture.least) {
    object.fail("must have least <= most");
  }
  const std::vector<Reader> items = object.at("rows").items();
  for (std::size_t i = 0; i < picture.rows.size(); ++i) {
    const std::string& row = picture.rows[i];
    const bool fine = !row.empty() && row.size() == picture.rows.front().size() &&
                      std::all_of(row.begin(), row.end(),
                                  [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
    if (!fine) {
      items[i].fail("must be as long as the first row, of digits and dots");
    }
  }
}

void Rules<SparseStudy>::check(const Reader& root, const SparseStudy& study) {
  if (study.measured_alpha && !study.given_traffic) {
    root.at("measured_alpha").fail("needs given_traffic, which it was found from");
  }
  check_codes(root.at("left_out"));
  check_codes(root.at("notes"));
}

}  // namespace ridge::serialize
