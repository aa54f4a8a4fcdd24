#include "machine_code/x86/effects.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ridge::machine_code::x86 {
namespace {

using Text = std::string_view;

struct Suffix {
  Text text;
  ElementType element;
  std::uint8_t bits;
  bool scalar;
};
constexpr std::array kSuffixes{
    Suffix{"pd", ElementType::fp64, 64, false}, Suffix{"ps", ElementType::fp32, 32, false},
    Suffix{"ph", ElementType::fp16, 16, false}, Suffix{"sd", ElementType::fp64, 64, true},
    Suffix{"ss", ElementType::fp32, 32, true},  Suffix{"sh", ElementType::fp16, 16, true}};

struct Stem {
  Text text;
  WorkKind kind;
};
/// Between an optional v and the suffix. Multiplications that feed an add begin with fm or fnm and
/// are found by that.
constexpr std::array kStems{Stem{"add", WorkKind::add},        Stem{"sub", WorkKind::add},
                            Stem{"addsub", WorkKind::add},     Stem{"hadd", WorkKind::add},
                            Stem{"hsub", WorkKind::add},       Stem{"mul", WorkKind::mul},
                            Stem{"div", WorkKind::div},        Stem{"sqrt", WorkKind::sqrt},
                            Stem{"min", WorkKind::other},      Stem{"max", WorkKind::other},
                            Stem{"cmp", WorkKind::other},      Stem{"comi", WorkKind::other},
                            Stem{"ucomi", WorkKind::other},    Stem{"round", WorkKind::other},
                            Stem{"rndscale", WorkKind::other}, Stem{"range", WorkKind::other},
                            Stem{"reduce", WorkKind::other},   Stem{"getexp", WorkKind::other},
                            Stem{"getmant", WorkKind::other},  Stem{"scalef", WorkKind::other},
                            Stem{"fixupimm", WorkKind::other}, Stem{"fpclass", WorkKind::other},
                            Stem{"rcp", WorkKind::other},      Stem{"rcp14", WorkKind::other},
                            Stem{"rcp28", WorkKind::other},    Stem{"rsqrt", WorkKind::other},
                            Stem{"rsqrt14", WorkKind::other},  Stem{"rsqrt28", WorkKind::other},
                            Stem{"exp2", WorkKind::other},     Stem{"frcz", WorkKind::other},
                            Stem{"and", WorkKind::other},      Stem{"andn", WorkKind::other},
                            Stem{"or", WorkKind::other},       Stem{"xor", WorkKind::other},
                            Stem{"test", WorkKind::other}};

Text without_v(Text name) {
  return name.starts_with('v') ? name.substr(1) : name;
}

bool any_of(Text wanted, std::initializer_list<Text> texts) {
  return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

bool is_fused(Text stem) {
  for (const Text order : {"132", "213", "231"}) {
    if (stem.ends_with(order)) {
      stem.remove_suffix(order.size());
      break;
    }
  }
  return any_of(stem, {"fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub", "fmsubadd"});
}

/// Dot products, complex numbers and what else has a shape of its own.
std::optional<Effect> special(Text name) {
  using E = ElementType;
  constexpr auto kInteger = WorkKind::integer;
  if (any_of(name, {"dpps", "vdpps"})) {
    return Effect{Form::dot_imm, WorkKind::mul, E::fp32, 32};
  }
  if (any_of(name, {"dppd", "vdppd"})) {
    return Effect{Form::dot_imm, WorkKind::mul, E::fp64, 64};
  }
  if (name == "vdpbf16ps") {
    return Effect{Form::pairs, WorkKind::fma, E::bf16, 16};
  }
  if (name == "tdpbf16ps") {
    return Effect{Form::tile, WorkKind::fma, E::bf16, 16};
  }
  if (name.starts_with("tdpb")) {
    return Effect{Form::tile, kInteger, E::integer, 8};
  }
  if (any_of(name, {"vfmulcph", "vfcmulcph", "vfmulcsh", "vfcmulcsh"})) {
    return Effect{Form::complex_mul, WorkKind::mul, E::fp16, 16, 0, name.ends_with("sh")};
  }
  if (any_of(name, {"vfmaddcph", "vfcmaddcph", "vfmaddcsh", "vfcmaddcsh"})) {
    return Effect{Form::complex_fma, WorkKind::fma, E::fp16, 16, 0, name.ends_with("sh")};
  }
  if (any_of(name, {"v4fmaddps", "v4fnmaddps", "v4fmaddss", "v4fnmaddss"})) {
    return Effect{Form::four, WorkKind::fma, E::fp32, 32, 0, name.ends_with("ss")};
  }
  if (any_of(name, {"vpdpbusd", "vpdpbusds"})) {
    return Effect{Form::products, kInteger, E::integer, 8};
  }
  if (any_of(name, {"vpdpwssd", "vpdpwssds"})) {
    return Effect{Form::products, kInteger, E::integer, 16};
  }
  if (any_of(name, {"vpmadd52huq", "vpmadd52luq"})) {
    return Effect{Form::products, kInteger, E::integer, 64};
  }
  if (any_of(name, {"pmaddwd", "vpmaddwd"})) {
    return Effect{Form::narrowing, kInteger, E::integer, 16};
  }
  if (any_of(name, {"pmaddubsw", "vpmaddubsw"})) {
    return Effect{Form::narrowing, kInteger, E::integer, 8};
  }
  return std::nullopt;
}

struct Side {
  ElementType element;
  std::uint8_t bits;
  bool scalar;
};

std::optional<Side> side_of(Text text) {
  for (const Suffix& suffix : kSuffixes) {
    if (text == suffix.text || (text.ends_with('x') && text.substr(0, 2) == suffix.text)) {
      return Side{suffix.element, suffix.bits, suffix.scalar};
    }
  }
  if (text == "bf16") {
    return Side{ElementType::bf16, 16, false};
  }
  if (any_of(text, {"w", "uw"})) {
    return Side{ElementType::integer, 16, false};
  }
  if (any_of(text, {"dq", "udq", "pi"})) {
    return Side{ElementType::integer, 32, false};
  }
  if (any_of(text, {"qq", "uqq"})) {
    return Side{ElementType::integer, 64, false};
  }
  if (any_of(text, {"si", "usi"})) {
    return Side{ElementType::integer, 64, true};
  }
  return std::nullopt;
}

/// cvtSOURCE2TARGET, with t for truncation and ne for rounding to even.
std::optional<Effect> conversion(Text name) {
  name = without_v(name);
  if (!name.starts_with("cvt")) {
    return std::nullopt;
  }
  name.remove_prefix(3);
  const bool two_sources = name.starts_with("ne2");
  name.remove_prefix(two_sources ? 3 : name.starts_with("ne") ? 2 : name.starts_with('t') ? 1 : 0);
  const std::size_t middle = name.find('2');
  const auto source = side_of(name.substr(0, middle));
  const auto target = middle == Text::npos ? std::nullopt : side_of(name.substr(middle + 1));
  if (!source || !target) {
    return std::nullopt;
  }
  const Side& counted = source->element == ElementType::integer ? *target : *source;
  // Two of MMX's registers of 64 bits make one of 128.
  const bool mmx = name.find("pi") != Text::npos;
  const auto wider = std::max(source->bits, target->bits);
  return Effect{Form::lanes,
                WorkKind::other,
                counted.element,
                counted.bits,
                two_sources ? std::uint8_t{16}
                : mmx       ? std::uint8_t{64}
                            : wider,
                source->scalar || target->scalar};
}

std::optional<Effect> floating_point(Text name) {
  const auto suffix = std::find_if(kSuffixes.begin(), kSuffixes.end(),
                                   [&](const Suffix& s) { return name.ends_with(s.text); });
  if (suffix == kSuffixes.end()) {
    return std::nullopt;
  }
  const Text stem = without_v(name.substr(0, name.size() - 2));
  const auto found = std::find_if(kStems.begin(), kStems.end(),
                                  [&](const Stem& entry) { return entry.text == stem; });
  if (found == kStems.end() && !is_fused(stem)) {
    return std::nullopt;
  }
  const WorkKind kind = found == kStems.end() ? WorkKind::fma : found->kind;
  return Effect{Form::lanes, kind,           suffix->element, suffix->bits,
                0,           suffix->scalar, false,           stem == "xor"};
}

std::optional<Effect> x87(Text name) {
  const auto make = [](WorkKind kind) {
    return Effect{Form::lanes, kind, ElementType::x87, 80, 0, true};
  };
  if (any_of(name,
             {"fadd", "faddp", "fiadd", "fsub", "fsubp", "fsubr", "fsubrp", "fisub", "fisubr"})) {
    return make(WorkKind::add);
  }
  if (any_of(name, {"fmul", "fmulp", "fimul"})) {
    return make(WorkKind::mul);
  }
  if (any_of(name, {"fdiv", "fdivp", "fdivr", "fdivrp", "fidiv", "fidivr"})) {
    return make(WorkKind::div);
  }
  if (name == "fsqrt") {
    return make(WorkKind::sqrt);
  }
  if (any_of(name,
             {"fabs",    "fchs",    "frndint", "fscale", "fxtract", "fprem",  "fprem1",  "fsin",
              "fcos",    "fsincos", "fptan",   "fpatan", "f2xm1",   "fyl2x",  "fyl2xp1", "fcom",
              "fcomp",   "fcompp",  "fcomi",   "fcomip", "fucom",   "fucomp", "fucompp", "fucomi",
              "fucomip", "ficom",   "ficomp",  "ftst",   "fxam"})) {
    return make(WorkKind::other);
  }
  return std::nullopt;
}

std::optional<Effect> amd_3dnow(Text name) {
  const auto make = [](WorkKind kind) { return Effect{Form::lanes, kind, ElementType::fp32, 32}; };
  if (any_of(name, {"pfadd", "pfsub", "pfsubr", "pfacc", "pfnacc", "pfpnacc"})) {
    return make(WorkKind::add);
  }
  if (name == "pfmul") {
    return make(WorkKind::mul);
  }
  const bool named = name.starts_with("pf") || any_of(name, {"pi2fd", "pi2fw"});
  return named ? std::optional(make(WorkKind::other)) : std::nullopt;
}

std::optional<Effect> general_integer(Text name) {
  if (!any_of(name, {"add",  "sub",  "inc",  "dec",  "neg",  "adc", "sbb", "adcx", "adox",
                     "imul", "mul",  "div",  "idiv", "and",  "or",  "xor", "not",  "andn",
                     "shl",  "shr",  "sar",  "rol",  "ror",  "rcl", "rcr", "shlx", "shrx",
                     "sarx", "rorx", "mulx", "shld", "shrd", "xadd"})) {
    return std::nullopt;
  }
  return Effect{Form::lanes, WorkKind::integer,           ElementType::integer, 0, 0, true,
                false,       any_of(name, {"xor", "sub"})};
}

std::uint8_t bits_by_letter(char letter) {
  return letter == 'b' ? 8 : letter == 'w' ? 16 : letter == 'd' ? 32 : letter == 'q' ? 64 : 0;
}

/// Packed integers: add, sub, mul, shift, bitwise (docs/contracts.md, section 1); neither
/// comparisons nor extremes.
std::optional<Effect> packed_integer(Text name) {
  name = without_v(name);
  const auto make = [&](unsigned bits, bool clears) {
    return Effect{Form::lanes,
                  WorkKind::integer,
                  ElementType::integer,
                  static_cast<std::uint8_t>(bits),
                  0,
                  false,
                  false,
                  clears};
  };
  // Of bitwise operations without a suffix the element is not known: 64 bits each.
  if (any_of(name, {"pand", "pandn", "por", "pxor", "pandd", "pandnd", "pord", "pxord", "pandq",
                    "pandnq", "porq", "pxorq", "pternlogd", "pternlogq"})) {
    return make(name.ends_with('d') && name != "pand" ? 32 : 64, name.starts_with("pxor"));
  }
  if (any_of(name, {"pslldq", "psrldq", "psadbw", "palignr"})) {
    return std::nullopt;
  }
  if (name.starts_with("pmuludq") || name.starts_with("pmuldq")) {
    return make(64, false);
  }
  for (const Text stem :
       {"padd", "psub", "pmull", "pmulh", "phadd", "phsub", "pavg", "pabs", "psll", "psrl", "psra",
        "prol", "pror", "prot", "psha", "pshl", "pmacs"}) {
    const unsigned bits = bits_by_letter(name.back());
    if (name.starts_with(stem) && bits != 0 && stem != "pabs" && stem != "pavg") {
      return make(bits,
                  stem == "psub" && !name.starts_with("psubs") && !name.starts_with("psubus"));
    }
  }
  return std::nullopt;
}

bool is_move(Text name) {
  name = without_v(name);
  for (const Text stem :
       {"mov",        "shuf",   "unpck",    "perm",      "insert",   "extract",   "blend",
        "broadcast",  "pshuf",  "punpck",   "palignr",   "align",    "pack",      "pblend",
        "pbroadcast", "pinsr",  "pextr",    "pmov",      "compress", "pcompress", "expand",
        "pexpand",    "gather", "pgather",  "scatter",   "pscatter", "lddqu",     "maskmov",
        "pmaskmov",   "push",   "pop",      "xchg",      "cmov",     "kmov",      "fld",
        "fst",        "fxch",   "tileload", "tilestore", "pslldq",   "psrldq",    "bswap",
        "lods",       "stos"}) {
    if (name.starts_with(stem)) {
      return true;
    }
  }
  return false;
}

Effect make_effect(Text name) {
  for (const auto& find :
       {special, conversion, floating_point, x87, amd_3dnow, general_integer, packed_integer}) {
    if (const auto found = find(name)) {
      return *found;
    }
  }
  Effect rest;
  rest.moves = is_move(name);
  rest.clears = without_v(name).starts_with("pcmpeq") || without_v(name).starts_with("pcmpgt");
  return rest;
}

constexpr std::size_t kMnemonics = ZYDIS_MNEMONIC_MAX_VALUE + 1;

std::array<Effect, kMnemonics> make_table() {
  std::array<Effect, kMnemonics> table{};
  for (std::size_t i = 0; i < kMnemonics; ++i) {
    const char* const name = ZydisMnemonicGetString(static_cast<ZydisMnemonic>(i));
    table[i] = name == nullptr ? Effect{} : make_effect(name);
  }
  return table;
}

}  // namespace

const Effect& effect_of(ZydisMnemonic mnemonic) {
  static const std::array<Effect, kMnemonics> kTable = make_table();
  return kTable[mnemonic < kMnemonics ? mnemonic : 0];
}

}  // namespace ridge::machine_code::x86
