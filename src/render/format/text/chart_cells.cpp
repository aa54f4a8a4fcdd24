#include "render/format/text/chart_cells.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>

namespace ridge::render {
namespace {

class Cells {
 public:
  Cells(const Chart& chart, const ChartGrid& grid)
      : chart_(chart), grid_(grid), taken_(grid.width * grid.height, Owner::nobody) {}

  ChartCells place() {
    // Main dots before those of other levels: a number must not stand beside another's dot alone.
    for (const bool main : {true, false}) {
      for (std::size_t i = 0; i < chart_.regions.size(); ++i) {
        place_dots(i, main);
      }
    }
    for (std::size_t i = 0; i < chart_.regions.size(); ++i) {
      place_number(i);
    }
    return std::move(cells_);
  }

 private:
  enum class Owner : char { nobody, dot, number };

  [[nodiscard]] int width() const { return static_cast<int>(grid_.width); }
  [[nodiscard]] int height() const { return static_cast<int>(grid_.height); }
  [[nodiscard]] bool inside(int x, int y) const {
    return x >= 0 && y >= 0 && x < width() && y < height();
  }
  [[nodiscard]] Owner& at(int x, int y) {
    return taken_[static_cast<std::size_t>(y) * grid_.width + static_cast<std::size_t>(x)];
  }
  [[nodiscard]] Owner at(int x, int y) const {
    return taken_[static_cast<std::size_t>(y) * grid_.width + static_cast<std::size_t>(x)];
  }

  [[nodiscard]] DotCell cell_of(std::size_t region, const ChartDot& dot) const {
    return {dot.intensity ? grid_.column(*dot.intensity) : width() - 1,
            grid_.row(chart_.regions[region].rate_of(dot)), region, dot.level, !dot.intensity};
  }

  void place_dots(std::size_t index, bool main) {
    const ChartRegion& region = chart_.regions[index];
    for (std::size_t i = 0; i < region.dots.size(); ++i) {
      const DotCell cell = cell_of(index, region.dots[i]);
      const bool wanted = region.draws(i) && (i == region.main_index()) == main;
      if (wanted && at(cell.x, cell.y) == Owner::nobody) {
        at(cell.x, cell.y) = Owner::dot;
        cells_.dots.push_back(cell);
      }
    }
  }

  void place_number(std::size_t index) {
    const ChartRegion& region = chart_.regions[index];
    if (region.rank == 0) {
      return;
    }
    const DotCell dot = cell_of(index, region.main_dot());
    NumberCells number{0, 0, index, std::to_string(region.rank)};
    const int length = static_cast<int>(number.text.size());
    const auto place = nearest(dot.x, dot.y, length);
    if (!place) {
      cells_.without_room.push_back(region.rank);
      return;
    }
    std::tie(number.x, number.y) = *place;
    for (int i = 0; i < length; ++i) {
      at(number.x + i, number.y) = Owner::number;
    }
    cells_.numbers.push_back(std::move(number));
  }

  /// One cell more on either side holds no number: "1" and "2" must not read as "12".
  [[nodiscard]] bool is_free(int x, int y, int length) const {
    for (int i = -1; i <= length; ++i) {
      const bool beside = i < 0 || i == length;
      if (!inside(x + i, y)) {
        if (!beside) {
          return false;
        }
      } else if (at(x + i, y) == Owner::number || (!beside && at(x + i, y) == Owner::dot)) {
        return false;
      }
    }
    return true;
  }

  /// Right of the dot, left of it, then by distance.
  [[nodiscard]] std::optional<std::pair<int, int>> nearest(int x, int y, int length) const {
    constexpr int kReachX = 24;
    constexpr int kReachY = 8;
    constexpr int kRowCost = 3;  // a row is worth more than a column: it moves the number further
    std::optional<std::pair<int, int>> best;
    int best_cost = 2 * (kReachX + kRowCost * kReachY);
    for (int dy = -kReachY; dy <= kReachY; ++dy) {
      for (int left = -kReachX - length; left <= kReachX; ++left) {
        const int gap = left > 0 ? left - 1 : left + length <= 0 ? -left - length : 0;
        const bool rightwards = left > 0;
        const int cost = 2 * (gap + kRowCost * std::abs(dy)) + (rightwards ? 0 : 1);
        if (cost < best_cost && is_free(x + left, y + dy, length)) {
          best = std::pair(x + left, y + dy);
          best_cost = cost;
        }
      }
    }
    return best;
  }

  const Chart& chart_;
  const ChartGrid& grid_;
  std::vector<Owner> taken_;
  ChartCells cells_;
};

}  // namespace

ChartCells lay_out_cells(const Chart& chart, const ChartGrid& grid) {
  return Cells(chart, grid).place();
}

}  // namespace ridge::render
