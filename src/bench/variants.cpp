#include "bench/variants.hpp"

#include <algorithm>
#include <iterator>

namespace ridge::bench {
namespace {

constexpr std::array kPrecisions{Precision::fp64, Precision::fp32, Precision::fp16,
                                 Precision::bf16};

bool is_plain(Precision precision) {
  return precision == Precision::fp64 || precision == Precision::fp32;
}

/// The whole table in the only encoding that knows no third operand and no FMA.
bool exists_in_legacy_encoding(const Kernel& kernel, Precision precision) {
  return kernel.kind == CeilingKind::compute && is_plain(precision) && !kernel.needs_fma();
}

/// No vector instruction before AVX-512 multiplies integers of 64 bits, none of SSE2 those of 32.
bool integer_exists(const Variant& variant) {
  const Kernel& kernel = *variant.kernel;
  const bool wide = kernel.numbers == Numbers::int64;
  if (variant.isa == Isa::amx || variant.precision != (wide ? Precision::fp64 : Precision::fp32)) {
    return false;
  }
  const bool product = kernel.has(StepKind::mul);
  if (product && wide) {
    return variant.isa == Isa::scalar || variant.isa == Isa::avx512;
  }
  return !product || variant.isa != Isa::sse_legacy;
}

bool compute_exists(const Variant& variant) {
  const Kernel& kernel = *variant.kernel;
  if (kernel.is_integer()) {
    return integer_exists(variant);
  }
  if (kernel.has(StepKind::dot)) {
    return (variant.isa == Isa::avx512 || variant.isa == Isa::amx) &&
           (kernel.numbers == Numbers::int8 ? variant.precision == Precision::fp32
                                            : variant.precision == Precision::bf16);
  }
  if (kernel.free_adds && variant.isa == Isa::avx512) {
    return false;  // 32 registers are enough for chains of both
  }
  if (variant.isa == Isa::sse_legacy) {
    return exists_in_legacy_encoding(kernel, variant.precision);
  }
  return variant.isa != Isa::amx && variant.precision != Precision::bf16;
}

bool memory_exists(const Variant& variant) {
  const Kernel& kernel = *variant.kernel;
  const bool plain_isa = std::find(kIsas.begin(), kIsas.end(), variant.isa) != kIsas.end();
  if (!plain_isa || !is_plain(variant.precision)) {
    return false;
  }
  if (kernel.order == Order::chase || kernel.order == Order::strided) {
    return variant.isa == Isa::scalar && variant.precision == Precision::fp64;
  }
  if (kernel.order == Order::gather && variant.precision != Precision::fp64) {
    return false;
  }
  if (kernel.has(StepKind::gather)) {
    return variant.isa == Isa::avx2 || variant.isa == Isa::avx512;
  }
  return !kernel.has(StepKind::nt_store) || variant.isa != Isa::scalar;
}

/// What an instruction set alone does not say.
bool has_instructions(const Variant& variant, const platform::SimdSupport& simd) {
  const Kernel& kernel = *variant.kernel;
  if (kernel.has(StepKind::dot)) {
    const bool bytes = kernel.numbers == Numbers::int8;
    if (variant.isa == Isa::amx) {
      return bytes ? simd.amx_int8 : simd.amx_bf16;
    }
    return bytes ? simd.avx512_vnni : simd.avx512_bf16;
  }
  if (kernel.is_integer()) {
    const bool wide_product = kernel.numbers == Numbers::int64 && kernel.has(StepKind::mul);
    return !wide_product || variant.isa != Isa::avx512 || simd.avx512_dq;
  }
  if (variant.precision == Precision::fp16) {
    return simd.avx512_fp16;
  }
  return simd.fma || !kernel.needs_fma();
}

bool has_wider(const Variant& variant, const platform::SimdSupport& simd) {
  return std::any_of(
      std::next(std::find(kAllIsas.begin(), kAllIsas.end(), variant.isa)), kAllIsas.end(),
      [&](Isa wider) { return can_run({variant.kernel, wider, variant.precision}, simd); });
}

bool is_planned(const Kernel& kernel, CeilingKind kind, Effort effort) {
  return kernel.kind == kind && kernel.from <= effort;
}

}  // namespace

std::string_view data_name(const Kernel& kernel, Precision precision) {
  switch (kernel.numbers) {
    case Numbers::int8:
      return "int8";
    case Numbers::int32:
      return "int32";
    case Numbers::int64:
      return "int64";
    case Numbers::floating:
      break;
  }
  return ridge::to_string(precision);
}

bool exists(const Variant& variant) {
  return variant.kernel->kind == CeilingKind::compute ? compute_exists(variant)
                                                      : memory_exists(variant);
}

bool can_run(const Variant& variant, const platform::SimdSupport& simd) {
  return exists(variant) && is_supported(variant.isa, simd) && has_instructions(variant, simd);
}

bool is_untested(const Variant& variant) {
  return variant.isa == Isa::amx || variant.precision == Precision::fp16;
}

std::vector<Variant> compute_variants(Effort effort, const platform::SimdSupport& simd,
                                      IntegerWidths integers) {
  const bool all_integers = integers == IntegerWidths::all || effort == Effort::full;
  std::vector<Variant> variants;
  for (const Isa isa : kAllIsas) {
    for (const Precision precision : kPrecisions) {
      for (const Kernel& kernel : kKernels) {
        const Variant variant{&kernel, isa, precision};
        // A quick run leaves out what `ridge run` rarely meets.
        const bool rare = !is_plain(precision) || isa == Isa::sse_legacy || isa == Isa::amx;
        if (is_planned(kernel, CeilingKind::compute, effort) && can_run(variant, simd) &&
            (kernel.is_integer() ? all_integers || !has_wider(variant, simd)
                                 : !rare || effort != Effort::quick)) {
          variants.push_back(variant);
        }
      }
    }
  }
  return variants;
}

std::vector<Variant> bandwidth_variants(Effort effort, const platform::SimdSupport& simd,
                                        Place place) {
  constexpr std::size_t kWidest = 2;
  std::vector<Isa> isas;
  std::copy_if(kIsas.begin(), kIsas.end(), std::back_inserter(isas),
               [&](Isa isa) { return is_supported(isa, simd); });
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < isas.size(); ++i) {
    const std::size_t wider = isas.size() - 1 - i;
    for (const Kernel& kernel : kKernels) {
      const Variant variant{&kernel, isas[i], Precision::fp64};
      // A strided kernel exists for one instruction set only.
      const bool wide_enough = kernel.order == Order::strided ||
                               (place == Place::innermost && !kernel.widest_only) ||
                               wider < kWidest;
      if (is_planned(kernel, CeilingKind::bandwidth, effort) && kernel.reaches(place) &&
          wide_enough && can_run(variant, simd)) {
        variants.push_back(variant);
      }
    }
  }
  return variants;
}

std::vector<Variant> latency_variants(Effort effort) {
  std::vector<Variant> variants;
  for (const Kernel& kernel : kKernels) {
    if (is_planned(kernel, CeilingKind::latency, effort)) {
      variants.push_back({&kernel, Isa::scalar, Precision::fp64});
    }
  }
  return variants;
}

}  // namespace ridge::bench
