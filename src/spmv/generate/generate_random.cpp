// Generators whose entries are drawn: band, uniform, R-MAT, KKT.
#include <array>
#include <utility>
#include <vector>

#include "spmv/generate/generators.hpp"

namespace ridge::spmv {
namespace {

/// Draws `count` different numbers below `bound` and sorts them. Drawing again what was there
/// already gives every set the same chance.
void draw_few(Random& random, std::uint32_t count, std::uint32_t bound, std::int32_t* to) {
  std::int32_t* end = to;
  std::int32_t* const last = to + count;
  while (end != last) {
    for (; end != last; ++end) {
      *end = static_cast<std::int32_t>(random.below(bound));
    }
    std::sort(to, last);
    end = std::unique(to, last);
  }
}

/// The same where many of the numbers are wanted, after Floyd (Bentley, CACM 30(9), 1987).
void draw_many(Random& random, std::uint32_t count, std::uint32_t bound, std::int32_t* to) {
  std::vector<bool> chosen(bound, false);
  for (std::uint32_t last = bound - count; last < bound; ++last) {
    const std::uint32_t drawn = random.below(last + 1);
    chosen[chosen[drawn] ? last : drawn] = true;
  }
  for (std::uint32_t i = 0; i < bound; ++i) {
    if (chosen[i]) {
      *to++ = static_cast<std::int32_t>(i);
    }
  }
}

void draw(Random& random, std::int32_t count, std::int32_t bound, std::int32_t* to) {
  const auto few = static_cast<std::uint32_t>(count);
  const auto all = static_cast<std::uint32_t>(bound);
  if (few <= all / 2) {
    draw_few(random, few, all, to);
  } else {
    draw_many(random, few, all, to);
  }
}

struct Edge {
  std::int32_t row;
  std::int32_t column;
};

/// Edges of one part of the work, in order.
using Edges = std::vector<Edge>;

/// The columns of each row in turn, sorted, each once; `begin` is set to where rows begin.
Array<std::int32_t> sorted_columns(std::int32_t rows, std::vector<Edges>& parts,
                                   std::vector<std::int64_t>& begin) {
  begin.assign(static_cast<std::size_t>(rows) + 2, 0);
  std::size_t total = 0;
  for (const Edges& edges : parts) {
    total += edges.size();
    for (const Edge& edge : edges) {
      ++begin[static_cast<std::size_t>(edge.row) + 2];
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  Array<std::int32_t> column(total);
  for (Edges& edges : parts) {
    for (const Edge& edge : edges) {
      // begin[row + 1] walks from the row's first place to its end: the next row's begin.
      column.data()[begin[static_cast<std::size_t>(edge.row) + 1]++] = edge.column;
    }
    Edges().swap(edges);
  }
  begin.pop_back();
  return column;
}

GeneratedMatrix from_edges(std::int32_t rows, std::vector<Edges> parts, std::uint64_t seed,
                           bool symmetric) {
  std::vector<std::int64_t> begin;
  Array<std::int32_t> column = sorted_columns(rows, parts, begin);
  Array<std::int32_t> size(static_cast<std::size_t>(rows));
  over_rows(rows, [&](std::int32_t first, std::int32_t last) {
    for (std::int32_t i = first; i < last; ++i) {
      std::int32_t* from = column.data() + begin[static_cast<std::size_t>(i)];
      std::int32_t* to = column.data() + begin[static_cast<std::size_t>(i) + 1];
      std::sort(from, to);
      size.data()[i] = static_cast<std::int32_t>(std::unique(from, to) - from);
    }
  });
  return build_rows(
      rows, [&](std::int32_t i) { return size.data()[i]; },
      [&](std::int32_t i, std::int32_t* to) {
        std::copy_n(column.data() + begin[static_cast<std::size_t>(i)], size.data()[i], to);
      },
      [=](std::int32_t i, std::int32_t j) {
        return symmetric_value(symmetric || i < j ? seed : ~seed, i, j);
      });
}

/// Calls edges_of(i, to) for i below `count`; the order of the edges is that of i.
template <class EdgesOf>
std::vector<Edges> collect(std::size_t count, const EdgesOf& edges_of) {
  const int threads = threads_for(count);
  std::vector<Edges> parts(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int t) {
    Edges& mine = parts[static_cast<std::size_t>(t)];
    for (std::size_t i = part_begin(count, threads, t); i < part_begin(count, threads, t + 1);
         ++i) {
      edges_of(i, mine);
    }
  });
  return parts;
}

Edge rmat_edge(std::int32_t scale, Random& random) {
  // 0.57, 0.57 + 0.19, 0.57 + 0.19 + 0.19 of 2^32.
  constexpr std::uint32_t kBoth0 = 2448131358U;
  constexpr std::uint32_t kRow0 = 3264175144U;
  constexpr std::uint32_t kNotBoth1 = 4080218931U;
  Edge edge{0, 0};
  for (std::int32_t bit = 0; bit < scale; ++bit) {
    const auto drawn = static_cast<std::uint32_t>(random.next() >> 32);
    const bool row = drawn >= kRow0;
    const bool column = (drawn >= kBoth0 && drawn < kRow0) || drawn >= kNotBoth1;
    edge.row = edge.row * 2 + static_cast<std::int32_t>(row);
    edge.column = edge.column * 2 + static_cast<std::int32_t>(column);
  }
  return edge;
}

struct KktSizes {
  std::int32_t variables;
  std::int32_t constraints;
  std::int32_t side;  ///< of a square of all variables: what "far" means
};

void add_both(Edges& edges, std::int32_t i, std::int32_t j) {
  edges.push_back({i, j});
  if (i != j) {
    edges.push_back({j, i});
  }
}

/// Row i of H: its diagonal and up to six variables further on, seven of ten within 50.
void add_variable(const KktSizes& sizes, std::int32_t i, Random& random, Edges& edges) {
  add_both(edges, i, i);
  for (std::uint32_t left = random.below(7); left > 0; --left) {
    const auto far = static_cast<std::uint32_t>(4 * sizes.side);
    const auto step =
        static_cast<std::int32_t>(random.below(10) < 7 ? random.below(50) : random.below(far));
    if (i + 1 + step < sizes.variables) {
      add_both(edges, i, i + 1 + step);
    }
  }
}

/// Row i of A: three or four variables, one row in fifty many; three of four near i's own place.
void add_constraint(const KktSizes& sizes, std::int32_t i, Random& random, Edges& edges) {
  const auto variables = static_cast<std::uint32_t>(sizes.variables);
  const auto base =
      static_cast<std::int32_t>(std::int64_t{i} * sizes.variables / sizes.constraints);
  const std::uint32_t many = random.below(50) == 0 ? random.below(40) : 0;
  for (std::uint32_t left = 3 + random.below(2) + many; left > 0; --left) {
    const std::uint32_t kind = random.below(100);
    std::int64_t at = sizes.variables;
    if (kind < 75) {
      at = std::int64_t{base} + random.below(64);
    } else if (kind < 94) {
      at = std::int64_t{base} + random.below(static_cast<std::uint32_t>(8 * sizes.side));
    }
    if (at >= sizes.variables) {
      at = random.below(variables);
    }
    add_both(edges, sizes.variables + i, static_cast<std::int32_t>(at));
  }
}

}  // namespace

GeneratedMatrix band(std::int32_t rows, std::int32_t half_width, std::int32_t per_row,
                     std::uint64_t seed) {
  const auto first = [=](std::int32_t i) { return std::max(i - half_width, 0); };
  const auto width = [=](std::int32_t i) {
    const std::int64_t last = std::min<std::int64_t>(std::int64_t{i} + half_width, rows - 1);
    return static_cast<std::int32_t>(last - first(i) + 1);
  };
  const auto size = [=](std::int32_t i) { return std::min(per_row, width(i)); };
  return build_rows(
      rows, size,
      [=](std::int32_t i, std::int32_t* to) {
        // The diagonal, and the others drawn from the window without it.
        Random random(seed, static_cast<std::uint64_t>(i));
        const std::int32_t others = size(i) - 1;
        draw(random, others, width(i) - 1, to);
        std::int32_t* right = std::lower_bound(to, to + others, i - first(i));
        for (std::int32_t* k = to + others; k > right; --k) {
          k[0] = k[-1] + 1 + first(i);
        }
        for (std::int32_t* k = to; k < right; ++k) {
          *k += first(i);
        }
        *right = i;
      },
      [=](std::int32_t i, std::int32_t j) { return symmetric_value(i < j ? seed : ~seed, i, j); });
}

GeneratedMatrix uniform(std::int32_t rows, std::int32_t per_row, std::uint64_t seed) {
  return build_rows(
      rows, [=](std::int32_t) { return per_row; },
      [=](std::int32_t i, std::int32_t* to) {
        Random random(seed, static_cast<std::uint64_t>(i));
        draw(random, per_row, rows, to);
      },
      [=](std::int32_t i, std::int32_t j) { return symmetric_value(i < j ? seed : ~seed, i, j); });
}

GeneratedMatrix rmat(std::int32_t scale, std::int32_t edges_per_vertex, std::uint64_t seed) {
  const std::int32_t rows = std::int32_t{1} << scale;
  const std::size_t edges =
      static_cast<std::size_t>(rows) * static_cast<std::size_t>(edges_per_vertex);
  auto parts = collect(edges, [&](std::size_t i, Edges& to) {
    Random random(seed, i);
    to.push_back(rmat_edge(scale, random));
  });
  return from_edges(rows, std::move(parts), seed, false);
}

GeneratedMatrix kkt(std::int32_t rows, std::uint64_t seed) {
  const auto variables = static_cast<std::int32_t>((std::int64_t{rows} * 6 + 9) / 10);
  const KktSizes sizes{variables, rows - variables, root_up(variables, 2)};
  auto parts = collect(static_cast<std::size_t>(rows), [&](std::size_t i, Edges& to) {
    Random random(seed, i);
    const auto row = static_cast<std::int32_t>(i);
    if (row < variables) {
      add_variable(sizes, row, random, to);
    } else {
      add_constraint(sizes, row - variables, random, to);
    }
  });
  return from_edges(rows, std::move(parts), seed, true);
}

}  // namespace ridge::spmv
