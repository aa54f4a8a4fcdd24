// Matrices of known class, by name and size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// The matrix that `spec` names, for instance "poisson3d:100": see describe_generators(). The same
/// `spec` and `seed` give the same matrix, bit for bit, on every machine and with any number of
/// threads. Values are random with all their bits set, between -1 and 1 and never 0 (`anderson`:
/// the model's own). The stencils, `fem`, `mesh`, `kkt` and `anderson` are symmetric.
///
/// Errors, before anything is allocated: a `spec` of another form (usage, with the form and an
/// example in the hint), sizes outside what the class allows, more than 2^31 - 1 rows or entries,
/// or more memory than `available_bytes` (default: what the system says is available).
[[nodiscard]] Result<CsrMatrix<double, std::int32_t>> generate(
    std::string_view spec, std::uint64_t seed = 1,
    std::optional<std::uint64_t> available_bytes = std::nullopt);

/// One line for each class, for --help: form, what it is, an example.
[[nodiscard]] std::string describe_generators();

}  // namespace ridge::spmv
