#include "translate.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "arguments.hpp"

namespace ridge::wrapper {
namespace {

constexpr int kResponseDepthMax = 8;

/// What the command line asks for, seen through response files.
struct Intent {
  bool links = true;
  bool generates_code = true;
  bool has_input = false;     ///< anything to compile, assemble or link
  bool has_compiled = false;  ///< anything that the plugin could see
  bool has_debug_level = false;
  bool is_static = false;
  bool is_relocatable = false;  ///< -r: libraries do not belong into the result
  bool lto = false;             ///< as the last -flto or -fno-lto says
  bool is_internal = false;     ///< -cc1: not a driver command line
  std::string flags;
};

void expand_into(std::vector<std::string>& out, const std::vector<std::string>& arguments,
                 const ReadFile& read_file, int depth) {
  for (const std::string& argument : arguments) {
    const bool is_response = argument.size() > 1 && argument.front() == '@';
    const auto text = is_response && depth < kResponseDepthMax ? read_file(argument.substr(1))
                                                               : std::optional<std::string>{};
    if (text) {
      expand_into(out, split_response_file(*text), read_file, depth + 1);
    } else {
      out.push_back(argument);
    }
  }
}

void note_option(Intent& intent, const std::string& argument) {
  intent.links = intent.links && !stops_before_link(argument);
  intent.generates_code = intent.generates_code && !stops_before_code(argument);
  intent.is_static = intent.is_static || argument == "-static" || argument == "-static-pie";
  intent.is_relocatable = intent.is_relocatable || argument == "-r";
  if (is_debug_level(argument)) {
    intent.has_debug_level = !is_no_debug(argument);
  }
  if (is_lto(argument)) {
    intent.lto = intent.lto || argument == "-flto" || argument.starts_with("-flto=");
  } else if (argument == "-fno-lto") {
    intent.lto = false;
  } else if (is_code_generation(argument)) {
    intent.flags += (intent.flags.empty() ? "" : " ") + argument;
  }
}

void note_input(Intent& intent, std::string_view file, std::string_view language) {
  intent.has_input = true;
  intent.has_compiled = intent.has_compiled || is_compiled(file, language);
}

/// The language that "-x LANGUAGE" or "-xLANGUAGE" at `index` sets, else nullopt.
std::optional<std::string> language_at(const std::vector<std::string>& arguments,
                                       std::size_t index) {
  const std::string& argument = arguments[index];
  if (argument == "-x" || argument == "--language") {
    return index + 1 < arguments.size() ? arguments[index + 1] : std::string{};
  }
  if (argument.starts_with("-x") && argument.size() > 2) {
    return argument.substr(2);
  }
  return std::nullopt;
}

Intent read_intent(const std::vector<std::string>& arguments) {
  Intent intent;
  intent.is_internal = !arguments.empty() && arguments.front().starts_with("-cc1");
  std::string language;
  bool only_files = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (only_files || argument == "-" || !argument.starts_with('-')) {
      note_input(intent, argument, language);
    } else if (argument == "--") {
      only_files = true;
    } else {
      if (const auto set = language_at(arguments, i)) {
        language = *set;
      }
      intent.has_input = intent.has_input || argument.starts_with("-l");
      note_option(intent, argument);
      i += takes_next_argument(argument) ? 1 : 0;
    }
  }
  return intent;
}

/// An option of another compiler that this one refuses and that changes no result.
bool is_unknown(std::string_view argument, Driver driver) {
  return (driver == Driver::flang && is_unknown_to_flang(argument)) ||
         (driver == Driver::clang_for_gcc && is_unknown_to_clang(argument));
}

/// What must not reach the compiler: link-time optimisation, "-g0", what it does not know.
bool is_dropped(std::string_view argument, Driver driver) {
  return is_lto(argument) || is_no_debug(argument) || is_unknown(argument, driver) ||
         (driver == Driver::clang_for_gcc && is_warning_as_error(argument));
}

/// CMake names the OpenMP runtime of gcc by its path. clang's has the entry points of both
/// compilers.
bool is_gcc_openmp(std::string_view argument, Driver driver) {
  return driver == Driver::clang_for_gcc &&
         (argument == "-lgomp" || argument.find("/libgomp.so") != std::string_view::npos);
}

std::vector<std::string> without_dropped(const std::vector<std::string>& arguments, Driver driver) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      kept.insert(kept.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    if (takes_next_argument(arguments[i]) && i + 1 < arguments.size()) {
      kept.insert(kept.end(), {arguments[i], arguments[i + 1]});
      ++i;
    } else if (is_gcc_openmp(arguments[i], driver)) {
      kept.emplace_back("-fopenmp=libomp");
    } else if (!is_dropped(arguments[i], driver)) {
      kept.push_back(arguments[i]);
    }
  }
  return kept;
}

bool has_dropped(const std::vector<std::string>& arguments, Driver driver) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    return is_dropped(argument, driver) || is_gcc_openmp(argument, driver);
  });
}

/// "-fbacktrace -Wall", empty where the compiler knows all.
std::string unknown_options(const std::vector<std::string>& arguments, Driver driver) {
  std::string unknown;
  for (const std::string& argument : arguments) {
    if (is_unknown(argument, driver)) {
      unknown += (unknown.empty() ? "" : " ") + argument;
    }
  }
  return unknown;
}

/// Before the user's arguments, so that "--" and "the last one wins" keep their meaning. Linked
/// together with object files alone these would be unused: no reason for a warning (or -Werror).
std::vector<std::string> compile_arguments(const Intent& intent, Driver driver,
                                           const Installation& installation, bool plain) {
  if (driver == Driver::flang) {
    std::vector<std::string> added;
    if (!intent.generates_code) {
      return added;
    }
    if (!intent.has_debug_level) {
      added.emplace_back("-gline-tables-only");
    }
    if (!plain) {
      added.push_back("-fpass-plugin=" + installation.plugin);
    }
    return added;
  }
  // Behind all other folders: a header of the user's comes first.
  std::vector<std::string> added{"--start-no-unused-arguments", "-idirafter",
                                 installation.include_directory};
  if (intent.generates_code) {
    if (!intent.has_debug_level) {
      added.emplace_back("-gline-tables-only");
    }
    // Line tables alone carry no linkage names: "run" for "Eigen::internal::redux_impl::run".
    added.emplace_back("-fdebug-info-for-profiling");
    if (!plain) {
      added.push_back("-fpass-plugin=" + installation.plugin);
    }
  }
  if (driver == Driver::clang_for_gcc) {
    added.emplace_back("-Wno-unknown-warning-option");
    added.emplace_back("-Wno-ignored-optimization-argument");
  }
  added.emplace_back("--end-no-unused-arguments");
  return added;
}

/// After the user's inputs, for static archives. The pushed state undoes an -as-needed or -Bstatic
/// that the user left switched on. References to the runtime are weak, which alone takes nothing
/// out of an archive.
std::vector<std::string> link_arguments(const Intent& intent, Driver driver,
                                        const Installation& installation) {
  const std::string& directory = installation.library_directory;
  if (intent.is_static) {
    return {"-L" + directory, "-Wl,--push-state,--whole-archive", "-lridge_runtime",
            "-Wl,--pop-state"};
  }
  if (driver == Driver::flang) {  // has no -Xlinker
    return {"-L" + directory, "-Wl,--push-state,--no-as-needed,-Bdynamic", "-lridge_runtime",
            "-Wl,--pop-state", "-Wl,-rpath," + directory};
  }
  return {"-L" + directory,  "-Wl,--push-state,--no-as-needed,-Bdynamic",
          "-lridge_runtime", "-Wl,--pop-state",
          "-Xlinker",        "-rpath",
          "-Xlinker",        directory};
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<std::string> split_response_file(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word) {
        words.push_back(std::exchange(word, {}));
        in_word = false;
      }
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) {
    words.push_back(word);
  }
  return words;
}

Translation translate(const std::vector<std::string>& arguments, Driver driver,
                      const Installation& installation, bool plain, const ReadFile& read_file) {
  std::vector<std::string> expanded;
  expand_into(expanded, arguments, read_file, 0);
  const Intent intent = read_intent(expanded);
  Translation result;
  if (intent.is_internal || !intent.has_input) {
    result.arguments = arguments;  // "-v", "--version", "-print-search-dirs": a question, no work
    return result;
  }
  result.flags = intent.flags;
  if (intent.lto) {
    result.warnings.emplace_back(
        "-flto is left out: vector widths are only known when each file is compiled to the end");
  }
  if (const std::string unknown = unknown_options(expanded, driver); !unknown.empty()) {
    const std::string compiler = driver == Driver::flang ? "flang" : "clang";
    result.warnings.push_back(unknown + " is left out: " + compiler + " does not know it");
  }
  if (intent.has_compiled) {
    result.instruments = !plain && intent.generates_code;
    result.arguments = compile_arguments(intent, driver, installation, plain);
  }
  // Response files stay as they are unless something in them has to go.
  const auto kept = has_dropped(expanded, driver) ? without_dropped(expanded, driver) : arguments;
  const auto end_of_options = std::find(kept.begin(), kept.end(), "--");
  result.arguments.insert(result.arguments.end(), kept.begin(), end_of_options);
  const std::vector<std::string> files(end_of_options, kept.end());
  const bool adds_runtime = intent.links && !plain && !intent.is_relocatable;
  if (adds_runtime) {
    append(result.arguments, link_arguments(intent, driver, installation));
  }
  append(result.arguments, files);
  return result;
}

}  // namespace ridge::wrapper
