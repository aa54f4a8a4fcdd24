#include "predict/compare/align.hpp"

#include <algorithm>
#include <cstdint>

namespace ridge::predict {
namespace {

/// Best sums from the front (cell i, j: of the first i and j items) or from the back.
class Table {
 public:
  Table(std::size_t a, std::size_t b) : columns_(b + 1), cells_((a + 1) * (b + 1), 0) {}
  std::int32_t& at(std::size_t i, std::size_t j) { return cells_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::int32_t> cells_;
};

class Aligner {
 public:
  Aligner(std::size_t a, std::size_t b, const std::function<int(std::size_t, std::size_t)>& score)
      : a_(a), b_(b), score_(a, b), front_(a, b), back_(a, b) {
    for (std::size_t i = 0; i < a; ++i) {
      for (std::size_t j = 0; j < b; ++j) {
        score_.at(i, j) = std::max(score(i, j), 0);
      }
    }
    fill();
  }

  Alignment result() {
    Alignment alignment;
    std::vector<unsigned> partners_b(b_, 0);
    for (std::size_t i = 0; i < a_; ++i) {
      collect(i, alignment, partners_b);
    }
    for (std::size_t j = 0; j < b_; ++j) {
      const bool decided = std::any_of(alignment.pairs.begin(), alignment.pairs.end(),
                                       [&](const auto& pair) { return pair.second == j; });
      if (partners_b[j] > 0 && !decided) {
        alignment.undecided_b.push_back(j);
      }
    }
    return alignment;
  }

 private:
  void fill() {
    for (std::size_t i = 1; i <= a_; ++i) {
      for (std::size_t j = 1; j <= b_; ++j) {
        front_.at(i, j) = std::max({front_.at(i - 1, j), front_.at(i, j - 1),
                                    front_.at(i - 1, j - 1) + score_.at(i - 1, j - 1)});
      }
    }
    for (std::size_t i = a_; i-- > 0;) {
      for (std::size_t j = b_; j-- > 0;) {
        back_.at(i, j) = std::max(
            {back_.at(i + 1, j), back_.at(i, j + 1), back_.at(i + 1, j + 1) + score_.at(i, j)});
      }
    }
  }

  /// Whether a best alignment pairs i with j.
  bool in_a_best(std::size_t i, std::size_t j) {
    return score_.at(i, j) > 0 &&
           front_.at(i, j) + score_.at(i, j) + back_.at(i + 1, j + 1) == best();
  }
  /// Whether a best alignment leaves i (j) alone.
  bool alone_a(std::size_t i) {
    for (std::size_t j = 0; j <= b_; ++j) {
      if (front_.at(i, j) + back_.at(i + 1, j) == best()) {
        return true;
      }
    }
    return false;
  }
  bool alone_b(std::size_t j) {
    for (std::size_t i = 0; i <= a_; ++i) {
      if (front_.at(i, j) + back_.at(i, j + 1) == best()) {
        return true;
      }
    }
    return false;
  }

  /// A pair that stands in a best alignment stands in all if neither end could be alone.
  void collect(std::size_t i, Alignment& alignment, std::vector<unsigned>& partners_b) {
    std::size_t partners = 0;
    std::size_t partner = 0;
    for (std::size_t j = 0; j < b_; ++j) {
      if (in_a_best(i, j)) {
        ++partners;
        ++partners_b[j];
        partner = j;
      }
    }
    if (partners == 1 && !alone_a(i) && !alone_b(partner)) {
      alignment.pairs.emplace_back(i, partner);
    } else if (partners > 0) {
      alignment.undecided_a.push_back(i);
    }
  }

  std::int32_t best() { return front_.at(a_, b_); }

  std::size_t a_;
  std::size_t b_;
  Table score_;
  Table front_;
  Table back_;
};

Alignment in_order(std::size_t a, std::size_t b) {
  Alignment alignment;
  for (std::size_t i = 0; i < std::max(a, b); ++i) {
    if (a == b) {
      alignment.pairs.emplace_back(i, i);
      continue;
    }
    if (i < a) {
      alignment.undecided_a.push_back(i);
    }
    if (i < b) {
      alignment.undecided_b.push_back(i);
    }
  }
  return alignment;
}

}  // namespace

Alignment align(std::size_t a, std::size_t b,
                const std::function<int(std::size_t, std::size_t)>& score) {
  if (a == 0 || b == 0) {
    return {};
  }
  return a > kMostCells / b ? in_order(a, b) : Aligner(a, b, score).result();
}

}  // namespace ridge::predict
