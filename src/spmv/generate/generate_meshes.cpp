// Generators whose entries are neighbours in a square or cube.
#include <array>
#include <vector>

#include "spmv/generate/generators.hpp"

namespace ridge::spmv {
namespace {

struct Node {
  std::int32_t x;
  std::int32_t y;
  std::int32_t z;
};

Node node_of(std::int32_t number, std::int32_t side) {
  const std::int32_t line = number / side;
  return {number % side, line % side, line / side};
}

/// 2 or 3, at the rim less: places at most one away from `x`.
std::int32_t reach(std::int32_t x, std::int32_t side) {
  return 1 + static_cast<std::int32_t>(x > 0) + static_cast<std::int32_t>(x < side - 1);
}

auto symmetric(std::uint64_t seed) {
  return [seed](std::int32_t i, std::int32_t j) { return symmetric_value(seed, i, j); };
}

/// The node and its neighbours below `limit` in ascending order; returns how many.
std::int32_t neighbours7(std::int32_t number, std::int32_t side, std::int32_t limit,
                         std::int32_t* to) {
  const Node at = node_of(number, side);
  std::int32_t count = 0;
  const auto add = [&](bool there, std::int32_t step) {
    if (there && number + step < limit) {
      to[count++] = number + step;
    }
  };
  add(at.z > 0, -side * side);
  add(at.y > 0, -side);
  add(at.x > 0, -1);
  add(true, 0);
  add(at.x < side - 1, 1);
  add(at.y < side - 1, side);
  add(number < limit - side * side, side * side);
  return count;
}

/// Each place swapped with one at most `window` further on, in turn.
Array<std::int32_t> shuffled(std::int32_t size, std::int32_t window, std::uint64_t seed) {
  Array<std::int32_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  Random random(seed, 0);
  for (std::int32_t i = 0; i < size; ++i) {
    const std::int32_t span = std::min(size - 1 - i, window) + 1;
    const std::int32_t j =
        i + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(span)));
    std::swap(order.data()[i], order.data()[j]);
  }
  return order;
}

}  // namespace

std::int32_t root_up(std::int32_t n, int power) {
  const auto enough = [&](std::int64_t s) {
    std::int64_t product = 1;
    for (int i = 0; i < power; ++i) {
      product *= s;
    }
    return product >= n;
  };
  std::int32_t low = 0;
  std::int32_t high = power == 2 ? 46341 : 1291;  // just beyond the roots of 2^31 - 1
  while (low < high) {
    const std::int32_t middle = (low + high) / 2;
    if (enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

GeneratedMatrix poisson2d(std::int32_t side, std::uint64_t seed) {
  return build_rows(
      side * side,
      [=](std::int32_t i) { return reach(i % side, side) + reach(i / side, side) - 1; },
      [=](std::int32_t i, std::int32_t* to) {
        const std::int32_t x = i % side;
        const std::int32_t y = i / side;
        const auto add = [&](bool there, std::int32_t step) {
          if (there) {
            *to++ = i + step;
          }
        };
        add(y > 0, -side);
        add(x > 0, -1);
        add(true, 0);
        add(x < side - 1, 1);
        add(y < side - 1, side);
      },
      symmetric(seed));
}

GeneratedMatrix poisson3d(std::int32_t side, std::uint64_t seed) {
  const std::int32_t rows = side * side * side;
  return build_rows(
      rows,
      [=](std::int32_t i) {
        const Node at = node_of(i, side);
        return reach(at.x, side) + reach(at.y, side) + reach(at.z, side) - 2;
      },
      [=](std::int32_t i, std::int32_t* to) { neighbours7(i, side, rows, to); }, symmetric(seed));
}

GeneratedMatrix stencil27(std::int32_t side, std::int32_t block, std::uint64_t seed) {
  const auto columns = [=](std::int32_t i, std::int32_t* to) {
    const Node at = node_of(i / block, side);
    for (std::int32_t z = std::max(at.z - 1, 0); z <= std::min(at.z + 1, side - 1); ++z) {
      for (std::int32_t y = std::max(at.y - 1, 0); y <= std::min(at.y + 1, side - 1); ++y) {
        // Three nodes in a row: their unknowns are neighbours in number too.
        const std::int32_t line = (z * side + y) * side;
        const std::int32_t first = (line + std::max(at.x - 1, 0)) * block;
        const std::int32_t count = reach(at.x, side) * block;
        std::iota(to, to + count, first);
        to += count;
      }
    }
  };
  return build_rows(
      side * side * side * block,
      [=](std::int32_t i) {
        const Node at = node_of(i / block, side);
        return reach(at.x, side) * reach(at.y, side) * reach(at.z, side) * block;
      },
      columns, symmetric(seed));
}

GeneratedMatrix anderson(std::int32_t side, std::uint64_t seed) {
  constexpr double kHalfDisorder = 16.5 / 2;
  const auto columns = [=](std::int32_t i, std::int32_t* to) {
    const Node at = node_of(i, side);
    const auto number = [side](std::int32_t x, std::int32_t y, std::int32_t z) {
      return (z * side + y) * side + x;
    };
    const auto next = [side](std::int32_t x) { return x + 1 == side ? 0 : x + 1; };
    const auto before = [side](std::int32_t x) { return x == 0 ? side - 1 : x - 1; };
    const std::array<std::int32_t, 7> all = {i,
                                             number(next(at.x), at.y, at.z),
                                             number(before(at.x), at.y, at.z),
                                             number(at.x, next(at.y), at.z),
                                             number(at.x, before(at.y), at.z),
                                             number(at.x, at.y, next(at.z)),
                                             number(at.x, at.y, before(at.z))};
    std::copy(all.begin(), all.end(), to);
    std::sort(to, to + all.size());
  };
  return build_rows(
      side * side * side, [](std::int32_t) { return 7; }, columns,
      [=](std::int32_t i, std::int32_t j) {
        return i == j ? kHalfDisorder * symmetric_value(seed, i, i) : -1.0;
      });
}

GeneratedMatrix unordered_mesh(std::int32_t rows, std::uint64_t seed) {
  const std::int32_t side = root_up(rows, 3);
  const Array<std::int32_t> new_number = shuffled(rows, side * side, seed);
  Array<std::int32_t> old_number(static_cast<std::size_t>(rows));
  for (std::int32_t i = 0; i < rows; ++i) {
    old_number.data()[new_number.data()[i]] = i;
  }
  const auto columns = [&](std::int32_t i, std::int32_t* to) {
    const std::int32_t count = neighbours7(old_number.data()[i], side, rows, to);
    for (std::int32_t k = 0; k < count; ++k) {
      to[k] = new_number.data()[to[k]];
    }
    std::sort(to, to + count);
  };
  return build_rows(
      rows,
      [&](std::int32_t i) {
        std::array<std::int32_t, 7> room;
        return neighbours7(old_number.data()[i], side, rows, room.data());
      },
      columns, symmetric(seed));
}

}  // namespace ridge::spmv
