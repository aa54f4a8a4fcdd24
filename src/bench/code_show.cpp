#include "bench/code_show.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "bench/code_loop.hpp"
#include "bench/jit.hpp"
#include "machine_code/decode.hpp"

namespace ridge::bench {
namespace {

/// An id taken apart.
struct Wanted {
  std::optional<Isa> isa;
  std::optional<std::string_view> data;  ///< precision, or that of integers
  bool innermost = false;
  std::string_view name;  ///< of the kernel
};

bool is_data(std::string_view part) {
  return part == "int8" || part == "int32" || part == "int64" || parse_precision(part).has_value();
}

bool is_thread_count(std::string_view part) {
  return part.size() > 1 && part[0] == 't' &&
         part.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

Wanted take_apart(std::string_view what) {
  Wanted wanted;
  while (!what.empty()) {
    const std::size_t dot = std::min(what.find('.'), what.size());
    const std::string_view part = what.substr(0, dot);
    what.remove_prefix(std::min(dot + 1, what.size()));
    if (const auto isa = parse_isa(part)) {
      wanted.isa = isa;
    } else if (is_data(part)) {
      wanted.data = part;
    } else if (const auto level = parse_level(part)) {
      wanted.innermost = level == Level::L1;
    } else if (!parse_ceiling_kind(part) && !is_thread_count(part)) {
      wanted.name = part;
    }
  }
  return wanted;
}

std::string known_kernels() {
  std::set<std::string_view> names;
  for (const Kernel& kernel : kKernels) {
    names.insert(kernel.name());
  }
  return fmt::format("kernels: {}", fmt::join(names, ", "));
}

/// Narrow to wide would show the least telling one first.
std::vector<Isa> isas_wide_first() {
  return {Isa::avx512, Isa::avx2, Isa::sse, Isa::scalar, Isa::sse_legacy, Isa::amx};
}

bool fits(const Kernel& kernel, const Wanted& wanted) {
  const bool other_form = kernel.reach == Reach::l1    ? !wanted.innermost
                          : kernel.reach != Reach::all ? wanted.innermost
                                                       : false;
  return kernel.name() == wanted.name && !other_form;
}

std::optional<Variant> first_that_exists(const Wanted& wanted) {
  for (const Isa isa : isas_wide_first()) {
    if (wanted.isa && isa != *wanted.isa) {
      continue;
    }
    for (const Kernel& kernel : kKernels) {
      for (const Precision precision :
           {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
        const Variant variant{&kernel, isa, precision};
        const bool data = !wanted.data || data_name(kernel, precision) == *wanted.data;
        if (fits(kernel, wanted) && data && exists(variant)) {
          return variant;
        }
      }
    }
  }
  return std::nullopt;
}

/// "48 fma, 768 flop", "1536 byte loaded": what is not there is not named.
std::string summary(const LoopWork& work) {
  const std::array<std::pair<std::uint64_t, std::string_view>, 14> parts{
      {{work.fma, "fma"},
       {work.add, "add"},
       {work.mul, "mul"},
       {work.div, "div"},
       {work.sqrt, "sqrt"},
       {work.dot, "dot products"},
       {work.integer, "on integers"},
       {work.flops, "flop"},
       {work.ops, "op (integers)"},
       {work.loaded_bytes, "byte loaded"},
       {work.stored_bytes, "byte stored"},
       {work.accesses, "accesses"},
       {work.stack_accesses, "accesses to the stack"},
       {work.instructions, "instructions"}}};
  std::vector<std::string> words;
  for (const auto& [count, name] : parts) {
    if (count > 0) {
      words.push_back(fmt::format("{} {}", count, name));
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Addresses count from the begin of the loop.
Result<std::string> assembly(std::span<const std::uint8_t> code) {
  const auto loop = inner_loop(code);
  if (!loop) {
    return tl::make_unexpected(loop.error());
  }
  std::string text;
  for (const machine_code::Instruction& at : *loop) {
    const std::uint64_t place = at.address - loop->front().address;
    const auto line = machine_code::disassemble(machine_code::Architecture::x86_64,
                                                code.subspan(at.address, at.length), place);
    if (!line) {
      return line;
    }
    text += fmt::format("{:6}  {}\n", place, *line);
  }
  return text;
}

Result<std::string> show_form(const Variant& variant) {
  const auto built = JitKernel::build(*variant.kernel, variant.isa, variant.precision);
  if (!built) {
    return tl::make_unexpected(built.error());
  }
  return assembly(built->code()).map([&](const std::string& loop) {
    return fmt::format("{} {} {}{}{}\none turn of the loop: {}\n\n{}",
                       data_name(*variant.kernel, variant.precision), to_string(variant.isa),
                       variant.kernel->name(),
                       variant.kernel->free_adds ? ", adds not chained" : "",
                       is_untested(variant) ? " (never run by Ridge's authors)" : "",
                       summary(built->loop()), loop);
  });
}

/// What is measured for the same ceiling besides.
std::optional<Variant> second_form(const Variant& first) {
  for (const Kernel& kernel : kKernels) {
    const Variant second{&kernel, first.isa, first.precision};
    if (kernel.free_adds && kernel.name() == first.kernel->name() && exists(second)) {
      return second;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Variant> find_variant(std::string_view what) {
  const Wanted wanted = take_apart(what);
  const bool known = std::any_of(kKernels.begin(), kKernels.end(), [&](const Kernel& kernel) {
    return kernel.name() == wanted.name;
  });
  if (!known) {
    return fail(ErrorCode::usage, fmt::format("no kernel is called '{}'", what), known_kernels());
  }
  const auto found = first_that_exists(wanted);
  if (!found) {
    return fail(
        ErrorCode::usage, fmt::format("the {} kernel does not exist as '{}'", wanted.name, what),
        "write PRECISION.ISA.OPERATION or LEVEL.PATTERN.ISA; precisions: fp64, fp32, fp16, "
        "bf16, int8, int32, int64; instruction sets: scalar, sse, avx2, avx512, sse-legacy, amx");
  }
  return *found;
}

Result<std::string> show(std::string_view what) {
  const auto variant = find_variant(what);
  if (!variant) {
    return tl::make_unexpected(variant.error());
  }
  const auto second = second_form(*variant);
  return show_form(*variant).and_then([&](const std::string& text) -> Result<std::string> {
    if (!second) {
      return text;
    }
    return show_form(*second).map([&](const std::string& other) {
      return fmt::format("{}\nThe ceiling is the faster one of this and a second form.\n\n{}", text,
                         other);
    });
  });
}

}  // namespace ridge::bench
