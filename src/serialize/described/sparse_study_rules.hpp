// What the members of a sparse study's values have to do with each other.
#pragma once

#include "core/describe/sparse_study.hpp"
#include "serialize/described/read.hpp"

namespace ridge::serialize {

template <>
struct Rules<SparseMatrixFacts> {
  static void check(const Reader& object, const SparseMatrixFacts& matrix);
};
template <>
struct Rules<MedianInterval> {
  static void check(const Reader& object, const MedianInterval& interval);
};
template <>
struct Rules<describe::PairedRatio> {
  static void check(const Reader& object, const describe::PairedRatio& ratio);
};
/// Rows of one length, of digits and dots.
template <>
struct Rules<ShadedPicture> {
  static void check(const Reader& object, const ShadedPicture& picture);
};
/// What alpha was found from is there, and codes of notes are words.
template <>
struct Rules<SparseStudy> {
  static void check(const Reader& root, const SparseStudy& study);
};

}  // namespace ridge::serialize
