#include "arguments.hpp"

#include <algorithm>
#include <array>

namespace ridge::wrapper {
namespace {

constexpr std::array<std::string_view, 64> kTakesNext{"-o",
                                                      "-J",
                                                      "-module-dir",
                                                      "-x",
                                                      "-I",
                                                      "-L",
                                                      "-l",
                                                      "-D",
                                                      "-U",
                                                      "-F",
                                                      "-B",
                                                      "-T",
                                                      "-u",
                                                      "-z",
                                                      "-e",
                                                      "-G",
                                                      "-A",
                                                      "-include",
                                                      "-imacros",
                                                      "-isystem",
                                                      "-isystem-after",
                                                      "-idirafter",
                                                      "-iquote",
                                                      "-iprefix",
                                                      "-iwithprefix",
                                                      "-iwithprefixbefore",
                                                      "-iwithsysroot",
                                                      "-isysroot",
                                                      "-imultilib",
                                                      "-include-pch",
                                                      "-iframework",
                                                      "-ivfsoverlay",
                                                      "-cxx-isystem",
                                                      "-c-isystem",
                                                      "-stdlib++-isystem",
                                                      "-MF",
                                                      "-MT",
                                                      "-MQ",
                                                      "-MJ",
                                                      "-Xlinker",
                                                      "-Xclang",
                                                      "-Xpreprocessor",
                                                      "-Xassembler",
                                                      "-Xanalyzer",
                                                      "-Xopenmp-target",
                                                      "-Xcuda-fatbinary",
                                                      "-Xcuda-ptxas",
                                                      "-mllvm",
                                                      "-target",
                                                      "-arch",
                                                      "-framework",
                                                      "-working-directory",
                                                      "-gcc-toolchain",
                                                      "-rpath",
                                                      "-serialize-diagnostics",
                                                      "--serialize-diagnostics",
                                                      "--param",
                                                      "--sysroot",
                                                      "--config",
                                                      "--output",
                                                      "--language",
                                                      "--include",
                                                      "--target-help-for",
                                                      "-dependency-file"};

constexpr std::array<std::string_view, 14> kStopsBeforeCode{"-E",
                                                            "-M",
                                                            "-MM",
                                                            "-fsyntax-only",
                                                            "--preprocess",
                                                            "--precompile",
                                                            "--analyze",
                                                            "-emit-ast",
                                                            "-rewrite-objc",
                                                            "--syntax-only",
                                                            "-verify-pch",
                                                            "-module-file-info",
                                                            "--dependencies",
                                                            "--user-dependencies"};

constexpr std::array<std::string_view, 4> kStopsBeforeLink{"-c", "-S", "--compile", "--assemble"};

constexpr std::array<std::string_view, 12> kNoLevelPrefixes{"-gstatement-frontiers",
                                                            "-gvariable-location-views",
                                                            "-ginline-points",
                                                            "-gz",
                                                            "-gsplit-dwarf",
                                                            "-gcolumn-info",
                                                            "-grecord",
                                                            "-gpubnames",
                                                            "-gembed",
                                                            "-gstrict-dwarf",
                                                            "-ggnu-pubnames",
                                                            "-gsimple-template-names"};

/// Ends with '*': a prefix; else the whole argument. The -m group is not here: all of it counts,
/// except what kNotCode names.
constexpr std::array<std::string_view, 46> kCode{"-O*",
                                                 "-m*",
                                                 "-ffast-math",
                                                 "-fno-fast-math",
                                                 "-ffp-*",
                                                 "-fopenmp*",
                                                 "-fno-openmp*",
                                                 "-funroll*",
                                                 "-fno-unroll*",
                                                 "-fvectorize",
                                                 "-fno-vectorize",
                                                 "-ftree-*",
                                                 "-fno-tree-*",
                                                 "-fslp-vectorize",
                                                 "-fno-slp-vectorize",
                                                 "-fmath-errno",
                                                 "-fno-math-errno",
                                                 "-fassociative-math",
                                                 "-fno-associative-math",
                                                 "-freciprocal-math",
                                                 "-fno-reciprocal-math",
                                                 "-funsafe-math-optimizations",
                                                 "-fno-unsafe-math-optimizations",
                                                 "-ffinite-math-only",
                                                 "-fno-finite-math-only",
                                                 "-fno-signed-zeros",
                                                 "-fno-trapping-math",
                                                 "-ftrapping-math",
                                                 "-frounding-math",
                                                 "-fno-honor-*",
                                                 "-fapprox-func",
                                                 "-fstrict-aliasing",
                                                 "-fno-strict-aliasing",
                                                 "-finline*",
                                                 "-fno-inline*",
                                                 "-fveclib=*",
                                                 "-fno-builtin*",
                                                 "-ffreestanding",
                                                 "-fprofile-use*",
                                                 "-fsanitize=*",
                                                 "-fwrapv",
                                                 "-fcx-*",
                                                 "-ffinite-loops",
                                                 "-fdenormal-fp-math*",
                                                 "-fno-omit-frame-pointer",
                                                 "-fforce-emit-vtables"};
constexpr std::array<std::string_view, 2> kNotCode{"-mllvm", "-mlinker-version*"};

/// Tried with flang 19. Those that change what a program computes (-frecord-marker, -fcheck,
/// -finit-real) are not here: flang is to refuse them.
constexpr std::array<std::string_view, 51> kUnknownToFlang{"-ffree-line-length-*",
                                                           "-fallow-argument-mismatch",
                                                           "-fallow-invalid-boz",
                                                           "-fbacktrace",
                                                           "-fno-backtrace",
                                                           "-fno-range-check",
                                                           "-ffpe-summary=*",
                                                           "-fmax-errors=*",
                                                           "-fno-second-underscore",
                                                           "-fprotect-parens",
                                                           "-frepack-arrays",
                                                           "-funroll-*",
                                                           "-ftree-*",
                                                           "-fno-tree-*",
                                                           "-fno-math-errno",
                                                           "-mprefer-vector-width=*",
                                                           "-static-libgfortran",
                                                           "-pipe",
                                                           "-m64",
                                                           "-ffile-prefix-map=*",
                                                           "-fdebug-prefix-map=*",
                                                           "-fmacro-prefix-map=*",
                                                           "-fstack-protector*",
                                                           "-fno-stack-protector*",
                                                           "-fstack-clash-protection",
                                                           "-fcf-protection*",
                                                           "-fexceptions",
                                                           "-fno-exceptions",
                                                           "-fcommon",
                                                           "-fno-common",
                                                           "-fno-plt",
                                                           "-grecord-gcc-switches",
                                                           "-frecord-gcc-switches",
                                                           "-funwind-tables",
                                                           "-fno-unwind-tables",
                                                           "-fasynchronous-unwind-tables",
                                                           "-fno-asynchronous-unwind-tables",
                                                           "-fno-semantic-interposition",
                                                           "-fvisibility=*",
                                                           "-fstrict-aliasing",
                                                           "-fno-strict-aliasing",
                                                           "-faggressive-loop-optimizations",
                                                           "-fno-aggressive-loop-optimizations",
                                                           "-finline-*",
                                                           "-fno-inline*",
                                                           "-falign-*",
                                                           "-fno-align-functions",
                                                           "-fno-f2c",
                                                           "-fmax-stack-var-size=*",
                                                           "-fno-trapping-math",
                                                           "-fdiagnostics-*"};

/// Tried with clang 19. Those that change what a program computes or how it is laid out
/// (-fsingle-precision-constant, -fwrapv-pointer, -fgnu89-inline) are not here: clang is to refuse
/// them.
constexpr std::array<std::string_view, 62> kUnknownToClang{"-fipa-*",
                                                           "-fno-ipa-*",
                                                           "-fira-*",
                                                           "-fno-ira-*",
                                                           "-fsched*",
                                                           "-fno-sched*",
                                                           "-fsel-sched*",
                                                           "-fgcse*",
                                                           "-fno-gcse*",
                                                           "-ftree-*",
                                                           "-fno-tree-*",
                                                           "-floop-*",
                                                           "-fno-loop-*",
                                                           "-fgraphite*",
                                                           "-fopt-info*",
                                                           "-fdump-*",
                                                           "-fvar-tracking*",
                                                           "-fno-var-tracking*",
                                                           "-fvect-cost-model=*",
                                                           "-fsimd-cost-model=*",
                                                           "-fdiagnostics-plain-output",
                                                           "-fdiagnostics-urls=*",
                                                           "-fdiagnostics-show-path-depths",
                                                           "-fconcepts-diagnostics-depth=*",
                                                           "-fconcepts",
                                                           "-fanalyzer",
                                                           "-fcallgraph-info*",
                                                           "-freport-bug",
                                                           "-flarge-source-files",
                                                           "-ftrack-macro-expansion*",
                                                           "-fcanonical-system-headers",
                                                           "-fno-canonical-system-headers",
                                                           "-fworking-directory",
                                                           "-fno-working-directory",
                                                           "-fguess-branch-probability",
                                                           "-fno-guess-branch-probability",
                                                           "-fstack-reuse=*",
                                                           "-fsection-anchors",
                                                           "-fno-section-anchors",
                                                           "-fsplit-loops",
                                                           "-fsplit-paths",
                                                           "-fsplit-wide-types*",
                                                           "-freorder-blocks*",
                                                           "-freorder-functions",
                                                           "-fpartial-inlining",
                                                           "-fno-partial-inlining",
                                                           "-fpredictive-commoning",
                                                           "-fcrossjumping",
                                                           "-fno-crossjumping",
                                                           "-fif-conversion*",
                                                           "-fno-if-conversion*",
                                                           "-fpeephole*",
                                                           "-fno-peephole*",
                                                           "-fcode-hoisting",
                                                           "-fversion-loops-for-strides",
                                                           "-fext-numeric-literals",
                                                           "-gstatement-frontiers",
                                                           "-gno-statement-frontiers",
                                                           "-gvariable-location-views*",
                                                           "-gno-variable-location-views",
                                                           "-ginline-points",
                                                           "-gno-as-loc-support"};
/// Of the above patterns, what clang knows.
constexpr std::array<std::string_view, 4> kKnownToClang{
    "-ftree-vectorize", "-fno-tree-vectorize", "-ftree-slp-vectorize", "-fno-tree-slp-vectorize"};

constexpr std::array<std::string_view, 40> kSourceSuffixes{
    "f",   "for", "ftn", "fpp", "f77", "f90", "f95", "f03",  "f08", "F",
    "FOR", "FTN", "FPP", "F77", "F90", "F95", "F03", "F08",  "c",   "C",
    "cc",  "cp",  "cpp", "cxx", "c++", "CPP", "CXX", "CC",   "i",   "ii",
    "m",   "mm",  "ll",  "bc",  "cu",  "cui", "hip", "cppm", "ixx", "M"};

bool matches(std::string_view pattern, std::string_view argument) {
  return pattern.ends_with('*') ? argument.starts_with(pattern.substr(0, pattern.size() - 1))
                                : argument == pattern;
}

template <std::size_t N>
bool matches_any(const std::array<std::string_view, N>& patterns, std::string_view argument) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return matches(pattern, argument); });
}

template <std::size_t N>
bool starts_with_any(const std::array<std::string_view, N>& prefixes, std::string_view argument) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return argument.starts_with(prefix); });
}

}  // namespace

bool takes_next_argument(std::string_view argument) {
  return std::find(kTakesNext.begin(), kTakesNext.end(), argument) != kTakesNext.end() ||
         (argument.starts_with("-Xarch_") || argument.starts_with("-Xopenmp-target="));
}

bool stops_before_code(std::string_view argument) {
  return std::find(kStopsBeforeCode.begin(), kStopsBeforeCode.end(), argument) !=
         kStopsBeforeCode.end();
}

bool stops_before_link(std::string_view argument) {
  return stops_before_code(argument) || std::find(kStopsBeforeLink.begin(), kStopsBeforeLink.end(),
                                                  argument) != kStopsBeforeLink.end();
}

bool is_lto(std::string_view argument) {
  return argument == "-flto" || argument.starts_with("-flto=") || argument.starts_with("-flto-") ||
         argument == "-ffat-lto-objects" || argument == "-fwhole-program-vtables" ||
         argument == "-fvirtual-function-elimination" || argument == "-fsplit-lto-unit";
}

bool is_debug_level(std::string_view argument) {
  return argument.starts_with("-g") && !argument.starts_with("-gno-") &&
         !argument.starts_with("-gcc-") && !starts_with_any(kNoLevelPrefixes, argument);
}

bool is_no_debug(std::string_view argument) {
  return argument == "-g0" || argument == "-ggdb0";
}

bool is_code_generation(std::string_view argument) {
  return matches_any(kCode, argument) && !matches_any(kNotCode, argument);
}

bool is_unknown_to_flang(std::string_view argument) {
  const bool is_other_standard = argument.starts_with("-std=") && argument != "-std=f2018";
  const bool is_warning = argument.starts_with("-W") && argument != "-Werror" &&
                          !argument.starts_with("-Wl,") && !argument.starts_with("-Wa,");
  return is_other_standard || is_warning || matches_any(kUnknownToFlang, argument);
}

bool is_unknown_to_clang(std::string_view argument) {
  return matches_any(kUnknownToClang, argument) && !matches_any(kKnownToClang, argument);
}

bool is_warning_as_error(std::string_view argument) {
  return argument == "-Werror" || argument.starts_with("-Werror=") ||
         argument == "-pedantic-errors";
}

bool is_compiled(std::string_view file, std::string_view language) {
  if (!language.empty() && language != "none") {
    return !language.starts_with("assembler");
  }
  const auto dot = file.rfind('.');
  return file == "-" || (dot != std::string_view::npos &&
                         std::find(kSourceSuffixes.begin(), kSourceSuffixes.end(),
                                   file.substr(dot + 1)) != kSourceSuffixes.end());
}

}  // namespace ridge::wrapper
