// Ridge's formats beside other libraries' products, on one matrix, in turn, with the bandwidth of
// reading beside each sample. One JSON object for each contender and number of threads.
//
//   vs_peers SPEC[+rcm|+hubs] THREADS SECONDS LAST_LEVEL_CACHE_BYTES
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "core/quantity/estimate.hpp"
#include "core/quantity/units.hpp"
#include "peers.hpp"
#include "spmv/format/code_balance.hpp"
#include "spmv/format/product.hpp"
#include "spmv/format/traffic.hpp"
#include "spmv/generate/generate.hpp"
#include "spmv/study/read_bandwidth.hpp"
#include "spmv/study/reorder.hpp"
#include "spmv/study/stopwatch.hpp"
#include "spmv/study/suitable_formats.hpp"
#include "spmv/study/tune.hpp"

namespace {

using namespace ridge;
using namespace ridge::spmv;

struct Contender {
  std::string name;
  std::function<void()> multiply;
  std::function<void()> read_back;
  double bytes = 0;  ///< of its own; 0: not known
  bool streamed_y = false;
  double conversion_seconds = 0;
  std::vector<double> seconds;
  std::vector<double> bandwidths;
};

Matrix matrix_of(const std::string& spec) {
  const std::size_t plus = spec.find('+');
  auto made = generate(spec.substr(0, plus));
  if (!made) {
    fmt::print(stderr, "{}\n{}\n", made.error().message, made.error().hint);
    std::exit(2);
  }
  if (plus == std::string::npos) {
    return std::move(*made);
  }
  const auto order = spec.substr(plus) == "+rcm"
                         ? reverse_cuthill_mckee<std::int32_t>(pattern_of(*made))
                         : hub_order<std::int32_t>(pattern_of(*made), Hubs::sorted);
  return std::move(*permuted<double, std::int32_t>(*made, std::span<const std::int32_t>(*order)));
}

/// Every contender has to give what the slow product gives.
bool is_right(const Matrix& matrix, const Contender& contender, const Array<double>& x,
              Array<double>& y) {
  std::fill(y.begin(), y.end(), std::nan(""));
  contender.multiply();
  if (contender.read_back) {
    contender.read_back();
  }
  std::vector<double> expected(y.size());
  multiply_slowly(matrix, 1, x.data(), 0, expected.data());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::abs(y[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i])))) {
      return false;
    }
  }
  return true;
}

void print(const Contender& contender, const std::string& spec, int threads, const Matrix& matrix,
           double csr_bytes) {
  std::vector<double> of_csr;
  std::vector<double> of_own;
  std::vector<double> rate;
  for (std::size_t k = 0; k < contender.seconds.size(); ++k) {
    const double moved = contender.bandwidths[k] * contender.seconds[k];
    of_csr.push_back(csr_bytes / moved);
    of_own.push_back(contender.bytes / moved);
    rate.push_back(2 * static_cast<double>(matrix.entries()) / contender.seconds[k]);
  }
  const auto text = [](const std::vector<double>& samples) {
    const auto e = *estimate_from<Number>(samples);
    return fmt::format("{{\"median\": {:.5g}, \"low\": {:.5g}, \"high\": {:.5g}}}",
                       e.median.value(), e.low.value(), e.high.value());
  };
  fmt::print(
      "{{\"matrix\": \"{}\", \"threads\": {}, \"contender\": \"{}\", \"rows\": {}, "
      "\"entries\": {}, \"samples\": {}, \"flop_per_s\": {}, \"b_S_byte_per_s\": {}, "
      "\"of_csr_roof\": {}, \"of_own_roof\": {}, \"streamed_y\": {}, \"conversion_s\": {:.4g}}}\n",
      spec, threads, contender.name, matrix.rows, matrix.entries(), contender.seconds.size(),
      text(rate), text(contender.bandwidths), text(of_csr),
      contender.bytes > 0 ? text(of_own) : "null", contender.streamed_y,
      contender.conversion_seconds);
}

using Products = std::vector<std::unique_ptr<Product<double>>>;

/// Ridge's formats, each in its fastest tuning; `products` keeps what the contenders refer to.
void add_formats(const Matrix& matrix, int threads, const Array<double>& x, Array<double>& y,
                 Products& products, std::vector<Contender>& contenders) {
  const double alpha =
      least_alpha(columns_used<std::int32_t>(pattern_of(matrix)), matrix.entries());
  for (const Format& format : suitable_formats(matrix)) {
    const Stopwatch watch;
    auto product = make_product<double>(matrix, format, {.threads = threads});
    const double seconds = watch.seconds();
    if (!product) {
      continue;
    }
    const bool streamed_y = tune(**product, x.data(), y.data()).stream_y;
    const auto balance =
        code_balance((*product)->footprint(), matrix.rows, alpha, {.write_allocate = !streamed_y});
    const Product<double>* raw = product->get();
    Contender contender;
    contender.name = name_of(raw->format());
    contender.multiply = [raw, &x, &y] { raw->multiply(1, x.data(), 0, y.data()); };
    contender.bytes = balance->bytes_per_entry() * static_cast<double>(matrix.entries());
    contender.streamed_y = streamed_y;
    contender.conversion_seconds = format.kind == FormatKind::csr ? 0 : seconds;
    contenders.push_back(std::move(contender));
    products.push_back(std::move(*product));
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    fmt::print(stderr, "usage: vs_peers SPEC[+rcm|+hubs] THREADS SECONDS LAST_LEVEL_CACHE_BYTES\n");
    return 2;
  }
  const std::string spec = arguments[1];
  const int threads = std::atoi(arguments[2]);
  const double budget = std::atof(arguments[3]);
  const double last_cache = std::atof(arguments[4]);
  const Matrix matrix = matrix_of(spec);
  Array<double> x(static_cast<std::size_t>(matrix.columns), 0.0);
  Array<double> y(static_cast<std::size_t>(matrix.rows), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1 + 1e-3 * static_cast<double>(i % 997);
  }
  Products products;
  std::vector<Contender> contenders;
  add_formats(matrix, threads, x, y, products, contenders);
  std::vector<Peer> peers;
  add_eigen(matrix, threads, x.data(), y.data(), peers);
  add_librsb(matrix, threads, x.data(), y.data(), peers);
  add_petsc(matrix, threads, x.data(), y.data(), peers);
  add_graphblas(matrix, threads, x.data(), y.data(), peers);
  for (const Peer& peer : peers) {
    Contender contender;
    contender.name = peer.name;
    contender.multiply = peer.multiply;
    contender.read_back = peer.read_back;
    contenders.push_back(std::move(contender));
  }
  for (const Contender& contender : contenders) {
    if (!is_right(matrix, contender, x, y)) {
      fmt::print(stderr, "{}: {} is wrong\n", spec, contender.name);
      return 1;
    }
  }
  const double csr_bytes = contenders.front().bytes;
  constexpr double kLargest = 256e6;
  ReadBandwidth bandwidth(
      static_cast<std::uint64_t>(csr_bytes <= last_cache ? csr_bytes : kLargest), threads,
      widest_isa());
  const Stopwatch watch;
  constexpr int kLeast = 7;
  for (int round = 0; round < kLeast || watch.seconds() < budget; ++round) {
    for (Contender& contender : contenders) {
      const double before = bandwidth.measure().value();
      const Stopwatch one;
      int repetitions = 0;
      do {
        contender.multiply();
        ++repetitions;
      } while (one.seconds() < 2e-3);
      contender.seconds.push_back(one.seconds() / repetitions);
      contender.bandwidths.push_back(2 / (1 / before + 1 / bandwidth.measure().value()));
    }
  }
  for (const Contender& contender : contenders) {
    print(contender, spec, threads, matrix, csr_bytes);
  }
  std::fflush(stdout);
  std::_Exit(0);  // not through the ends of MPI
}
