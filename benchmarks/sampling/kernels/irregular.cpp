// Indirect accesses, lists, tables, bytes and structures.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

#include "kernels.hpp"

namespace sampling {
namespace {

std::vector<std::int32_t> random_indices(long count, long limit) {
  Random random;
  std::vector<std::int32_t> indices(static_cast<std::size_t>(count));
  for (auto& index : indices) index = static_cast<std::int32_t>(random.below(limit));
  return indices;
}

double gather(long n, long repeats) {
  const auto index = random_indices(n, n);
  const auto a = values(n);
  double sum = 0.0;
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) sum += a[index[i]];
  }
  return sum;
}

double histogram(long n, long repeats) {
  constexpr long kBins = 1 << 16;
  const auto keys = random_indices(n, kBins);
  std::vector<std::int32_t> bins(kBins);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) ++bins[keys[i]];
  }
  return bins[7];
}

/// One pass of a radix sort: 256 streams of writes.
double radix_scatter(long n, long repeats) {
  constexpr long kBuckets = 256;
  const auto keys = random_indices(n, 1 << 30);
  std::vector<std::int32_t> out(keys.size());
  std::vector<long> place(kBuckets);
  for (long r = 0; r < repeats; ++r) {
    std::fill(place.begin(), place.end(), 0);
    for (long i = 0; i < n; ++i) ++place[keys[i] >> 8 & 255];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), 0L);
    for (long i = 0; i < n; ++i) out[place[keys[i] >> 8 & 255]++] = keys[i];
  }
  return out[n / 2];
}

/// y = A x with the matrix of a graph with few hubs and many leaves.
double rmat(long n, long repeats) {
  long bits = 0;
  while ((1L << bits) < n) ++bits;
  Random random;
  std::vector<std::int32_t> column(static_cast<std::size_t>(8 * n));
  for (auto& target : column) {
    long at = 0;
    for (long bit = 0; bit < bits; ++bit) at = 2 * at + (random.below(100) < 24 ? 1 : 0);
    target = static_cast<std::int32_t>(at % n);
  }
  const auto x = values(n);
  std::vector<double> y(x.size());
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      double sum = 0.0;
      for (long k = 8 * i; k < 8 * i + 8; ++k) sum += x[column[k]];
      y[i] = sum;
    }
  }
  return y[n / 2];
}

struct Node {
  Node* next = nullptr;
  double value = 1.0;
  double unused[2] = {};
};

double linked_list(long n, long repeats) {
  std::vector<Node> nodes(static_cast<std::size_t>(n));
  std::vector<long> order(nodes.size());
  std::iota(order.begin(), order.end(), 0L);
  Random random;
  for (long i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  for (long i = 0; i + 1 < n; ++i) nodes[order[i]].next = &nodes[order[i + 1]];
  double sum = 0.0;
  for (long r = 0; r < repeats; ++r) {
    for (const Node* at = &nodes[order[0]]; at != nullptr; at = at->next) sum += at->value;
  }
  return sum;
}

double hash_table(long n, long repeats) {
  long capacity = 1;
  while (capacity < 2 * n) capacity *= 2;
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(capacity));
  std::vector<double> sums(keys.size());
  Random random;
  const auto slot_of = [&](std::uint64_t key) {
    long slot = static_cast<long>(key * 0x9e3779b97f4a7c15UL >> 20U) & (capacity - 1);
    while (keys[slot] != 0 && keys[slot] != key) slot = (slot + 1) & (capacity - 1);
    return slot;
  };
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      const std::uint64_t key = 1 + static_cast<std::uint64_t>(random.below(n));
      const long slot = slot_of(key);
      keys[slot] = key;
      sums[slot] += 1.0;
    }
  }
  return sums[slot_of(5)];
}

/// Counts words and turns letters into capitals, byte by byte.
double text(long n, long repeats) {
  std::string words(static_cast<std::size_t>(n), ' ');
  Random random;
  for (auto& letter : words)
    letter = random.below(6) == 0 ? ' ' : static_cast<char>('a' + random.below(26));
  std::string out(words.size(), '.');
  long count = 0;
  for (long r = 0; r < repeats; ++r) {
    bool inside = false;
    for (long i = 0; i < n; ++i) {
      const char letter = words[i];
      count += inside && letter == ' ' ? 1 : 0;
      inside = letter != ' ';
      out[i] = inside ? static_cast<char>(letter - 32) : letter;
    }
  }
  return static_cast<double>(count);
}

struct Particle {
  double position[3] = {0.1, 0.2, 0.3};
  double velocity[3] = {1.0, 2.0, 3.0};
  double mass = 1.0;
};

/// 56 bytes each: lines are shared by two.
double particles_aos(long n, long repeats) {
  std::vector<Particle> all(static_cast<std::size_t>(n));
  for (long r = 0; r < repeats; ++r) {
    for (auto& particle : all) {
      for (int k = 0; k < 3; ++k)
        particle.position[k] += 1e-3 * particle.velocity[k] / particle.mass;
    }
  }
  return all[n / 2].position[0];
}

double particles_soa(long n, long repeats) {
  auto x = values(n);
  auto y = values(n);
  auto z = values(n);
  const auto vx = values(n);
  const auto vy = values(n);
  const auto vz = values(n);
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      x[i] += 1e-3 * vx[i];
      y[i] += 1e-3 * vy[i];
      z[i] += 1e-3 * vz[i];
    }
  }
  return x[1] + y[2] + z[3];
}

/// Forces between the particles of neighbouring cells, through lists of indices.
double cells(long n, long repeats) {
  constexpr long kPerCell = 8;
  const long cell_count = n / kPerCell;
  const auto member = random_indices(n, n);
  const auto position = values(n);
  std::vector<double> force(position.size());
  for (long r = 0; r < repeats; ++r) {
    for (long c = 0; c + 1 < cell_count; ++c) {
      for (long i = c * kPerCell; i < (c + 1) * kPerCell; ++i) {
        double sum = 0.0;
        for (long j = c * kPerCell; j < (c + 2) * kPerCell; ++j) {
          sum += 1.0 / (1.0 + position[member[j]] - 0.1 * position[member[i]]);
        }
        force[member[i]] += sum;
      }
    }
  }
  return force[n / 2];
}

double binary_search(long n, long repeats) {
  auto sorted = values(n);
  std::partial_sum(sorted.begin(), sorted.end(), sorted.begin());
  Random random;
  double sum = 0.0;
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n / 16; ++i) {
      const double wanted = sorted.back() * static_cast<double>(random.below(1 << 20)) / (1 << 20);
      long low = 0;
      for (long step = n / 2; step > 0; step /= 2)
        low += sorted[low + step - 1] < wanted ? step : 0;
      sum += static_cast<double>(low);
    }
  }
  return sum;
}

double sort_values(long n, long repeats) {
  double sum = 0.0;
  Random random;
  for (long r = 0; r < repeats; ++r) {
    std::vector<double> data(static_cast<std::size_t>(n));
    for (auto& value : data) value = static_cast<double>(random.next());
    std::sort(data.begin(), data.end());
    sum += data[static_cast<std::size_t>(n / 2)];
  }
  return sum;
}

}  // namespace

std::vector<Kernel> irregular() {
  return {{"gather", gather, 2'000'000, 60},
          {"histogram", histogram, 4'000'000, 60},
          {"radix_scatter", radix_scatter, 2'000'000, 40},
          {"rmat", rmat, 1L << 20, 20},
          {"linked_list", linked_list, 300'000, 40},
          {"hash_table", hash_table, 500'000, 20},
          {"text", text, 8'000'000, 20},
          {"particles_aos", particles_aos, 500'000, 100},
          {"particles_soa", particles_soa, 1'000'000, 150},
          {"cells", cells, 400'000, 20},
          {"binary_search", binary_search, 1L << 20, 60},
          {"binary_search_odd", binary_search, 1'200'000, 60},
          {"sort", sort_values, 1'000'000, 6}};
}

}  // namespace sampling
