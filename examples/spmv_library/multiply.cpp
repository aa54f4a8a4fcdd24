// y = A x for a matrix from a file, in a format that needs fewer bytes than compressed rows, held
// against the slow product:   multiply MATRIX [FORMAT [THREADS]]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <spmv/format/product.hpp>
#include <spmv/read/matrix_file.hpp>
#include <vector>

int main(int argc, char** argv) {
  using namespace ridge::spmv;
  const auto stop = [](const ridge::Error& error) {
    std::fprintf(stderr, "%s\n%s\n", error.message.c_str(), error.hint.c_str());
    return error.exit_code();
  };
  const auto format = parse_format(argc > 2 ? argv[2] : "pattern");
  if (!format) return stop(format.error());
  const auto file = read_matrix<std::int32_t>(argc > 1 ? argv[1] : "matrix.mtx");
  if (!file) return stop(file.error());

  Execution execution;  // the widest instruction set of this processor
  execution.threads = argc > 3 ? std::atoi(argv[3]) : 1;
  const auto product = make_product<double>(file->matrix, *format, execution);
  if (!product) return stop(product.error());

  std::vector<double> x(static_cast<std::size_t>(file->matrix.columns));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(static_cast<double>(i));
  std::vector<double> y(static_cast<std::size_t>(file->matrix.rows));
  std::vector<double> expected(y.size());
  (*product)->multiply(1, x.data(), 0, y.data());  // y = 1 A x + 0 y
  multiply_slowly(file->matrix, 1, x.data(), 0, expected.data());

  double difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    difference = std::max(difference, std::abs(y[i] - expected[i]));
  }
  std::printf("%s: %zu entries in %.0f byte, difference from the slow product %.1e\n",
              name_of((*product)->format()).c_str(), (*product)->footprint().useful,
              (*product)->footprint().matrix_bytes(), difference);
  return difference < 1e-12 ? 0 : 1;
}
