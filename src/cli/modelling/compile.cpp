#include "cli/modelling/compile.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/process.hpp"

namespace ridge::cli {
namespace {

/// What a compiler writes: a file in memory, which unlike a pipe never makes it wait.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("ridge-model", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string content() const {
    const off_t size = lseek(descriptor_, 0, SEEK_END);
    std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t got =
          pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (got <= 0) {
        break;
      }
      done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
  }

 private:
  int descriptor_ = -1;
};

struct CompilerOf {
  const char* variable;  ///< names another one
  const char* program;
  const char* package;
};

CompilerOf compiler_of(SourceLanguage language) {
  switch (language) {
    case SourceLanguage::cxx:
      return {"RIDGE_CLANGXX", "clang++-19", "clang-19"};
    case SourceLanguage::fortran:
      return {"RIDGE_FLANG", "flang-new-19", "flang-19"};
    case SourceLanguage::c:
      break;
  }
  return {"RIDGE_CLANG", "clang-19", "clang-19"};
}

Result<std::string> find_compiler(SourceLanguage language) {
  const CompilerOf compiler = compiler_of(language);
  const char* chosen = std::getenv(compiler.variable);
  const std::string name = chosen != nullptr ? chosen : compiler.program;
  const std::string beside =
      fmt::format("/usr/lib/llvm-19/bin/{}", name.substr(0, name.rfind('-')));
  for (const std::string& each : {name, beside}) {
    if (const auto found = platform::find_program(each)) {
      return *found;
    }
  }
  return fail(ErrorCode::unavailable, fmt::format("ridge model needs {}", compiler.program),
              fmt::format("install {}, or name it: {}=/path/to/{}", compiler.package,
                          compiler.variable, compiler.program));
}

/// With its language.
Result<std::pair<SourceLanguage, std::string>> compiler_for(const std::string& file) {
  const auto language = language_of(file);
  if (!language) {
    return fail(ErrorCode::bad_input, fmt::format("{} is no source of C, C++ or Fortran", file),
                "its name ends with .c, .cpp, .cc, .cxx, .f90 or .f");
  }
  return find_compiler(*language).map(
      [&](const std::string& compiler) { return std::pair(*language, compiler); });
}

/// Without the list of passes that flang was told to leave out.
std::string without_passes(const std::string& words) {
  std::string kept;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size() - 1) + 1;
    const std::string_view line = std::string_view(words).substr(begin, end - begin);
    kept += line.starts_with("BISECT: ") ? std::string_view() : line;
    begin = end;
  }
  return kept;
}

/// One compilation under way.
class Compilation {
 public:
  static Result<std::unique_ptr<Compilation>> start(std::vector<std::string> words) {
    auto made = std::make_unique<Compilation>();
    platform::ProcessOptions options;
    options.arguments = std::move(words);
    options.standard_output = made->output_.descriptor();
    options.standard_error = made->errors_.descriptor();
    auto process = platform::Process::start(options);
    if (!process) {
      return tl::make_unexpected(process.error());
    }
    made->process_.emplace(std::move(*process));
    return made;
  }

  /// What it wrote; the compiler's words where it failed.
  tl::expected<std::string, std::string> finish() {
    const platform::ExitStatus status = process_->wait();
    if (status.code == 0) {
      return output_.content();
    }
    std::string words = without_passes(errors_.content());
    return tl::make_unexpected(
        words.empty() ? fmt::format("the compiler ended with {}", status.shell_code()) : words);
  }

 private:
  MemoryFile output_;
  MemoryFile errors_;
  std::optional<platform::Process> process_;
};

bool begins_with_one_of(std::string_view word, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts,
                             [&](std::string_view start) { return word.starts_with(start); });
}

bool names_a_processor(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return begins_with_one_of(flag, {"-march=", "-mcpu=", "-mtune="});
  });
}

std::string level_of(const std::vector<std::string>& flags) {
  std::string level = "-O3";
  for (const std::string& flag : flags) {
    if (flag.starts_with("-O")) {
      level = flag;
    }
  }
  return level;
}

/// What both compilations have in common, behind the name of the compiler.
std::vector<std::string> common_words(const CompileRequest& request) {
  std::vector<std::string> words = flags_of_the_program(request.flags, request.file);
  for (const std::string& macro : request.macros) {
    words.push_back("-D" + macro);
  }
  return words;
}

std::vector<std::string> words_for_program(const std::string& compiler, SourceLanguage language,
                                           const CompileRequest& request) {
  std::vector<std::string> words{compiler, "-O1", "-g"};
  if (language == SourceLanguage::fortran) {
    words.insert(words.end(), {"-mllvm", "-opt-bisect-limit=0"});  // no passes of LLVM
  } else {
    words.insert(words.end(), {"-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"});
  }
  if (language == SourceLanguage::cxx) {
    words.emplace_back("-fstandalone-debug");  // types of the library, too, have their members
  }
  const auto common = common_words(request);
  words.insert(words.end(), common.begin(), common.end());
  words.insert(words.end(), {"-emit-llvm", "-c", request.file, "-o", "-"});
  return words;
}

std::vector<std::string> optimising_words(const CompileRequest& request) {
  std::vector<std::string> words{level_of(request.flags)};
  if (request.cpu) {
    words.push_back("-march=" + *request.cpu);
  } else if (!names_a_processor(request.flags)) {
    words.emplace_back("-march=native");
  }
  return words;
}

std::vector<std::string> words_for_machine_code(const std::string& compiler,
                                                const CompileRequest& request) {
  std::vector<std::string> words{compiler};
  const auto common = common_words(request);
  words.insert(words.end(), common.begin(), common.end());
  const auto optimising = optimising_words(request);
  words.insert(words.end(), optimising.begin(), optimising.end());
  return words;
}

}  // namespace

std::optional<SourceLanguage> language_of(const std::string& file) {
  constexpr std::array<std::pair<std::string_view, SourceLanguage>, 11> kEndings{
      {{".c", SourceLanguage::c},
       {".cpp", SourceLanguage::cxx},
       {".cc", SourceLanguage::cxx},
       {".cxx", SourceLanguage::cxx},
       {".C", SourceLanguage::cxx},
       {".f90", SourceLanguage::fortran},
       {".F90", SourceLanguage::fortran},
       {".f95", SourceLanguage::fortran},
       {".f03", SourceLanguage::fortran},
       {".f08", SourceLanguage::fortran},
       {".f", SourceLanguage::fortran}}};
  for (const auto& [ending, language] : kEndings) {
    if (file.ends_with(ending)) {
      return language;
    }
  }
  return std::nullopt;
}

std::vector<std::string> flags_of_the_program(const std::vector<std::string>& flags,
                                              const std::string& file) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (flag == "-o" || flag == "-MF" || flag == "-MT" || flag == "-MQ") {
      ++i;  // with the name behind it
      continue;
    }
    const bool is_about_output =
        flag == "-c" || flag == "-S" || flag == "-E" || flag == file ||
        begins_with_one_of(flag, {"-o", "-O", "-MD", "-MMD", "-MP", "-MF", "-MT", "-MQ"});
    const bool is_debug = flag.starts_with("-g") && flag != "-gcc-toolchain";
    if (!is_about_output && !is_debug && flag != "-emit-llvm") {
      kept.push_back(flag);
    }
  }
  return kept;
}

Result<std::string> assemble(const std::string& file) {
  const auto compiler = find_compiler(SourceLanguage::c);
  if (!compiler) {
    return tl::make_unexpected(compiler.error());
  }
  auto assembling = Compilation::start({*compiler, "-c", file, "-o", "-"});
  if (!assembling) {
    return tl::make_unexpected(assembling.error());
  }
  auto object = (*assembling)->finish();
  if (!object) {
    return fail(ErrorCode::bad_input, fmt::format("{} cannot be assembled", file), object.error());
  }
  return std::move(*object);
}

Result<void> compile_shared(const CompileRequest& request, const std::string& output) {
  const auto compiler = compiler_for(request.file);
  if (!compiler) {
    return tl::make_unexpected(compiler.error());
  }
  auto words = words_for_machine_code(compiler->second, request);
  words.insert(words.end(), {"-shared", "-fPIC", request.file, "-o", output});
  auto linking = Compilation::start(std::move(words));
  if (!linking) {
    return tl::make_unexpected(linking.error());
  }
  if (auto linked = (*linking)->finish(); !linked) {
    return fail(ErrorCode::bad_input, fmt::format("{} does not link", request.file),
                linked.error());
  }
  return {};
}

Result<Compiled> compile(const CompileRequest& request) {
  const auto found = compiler_for(request.file);
  if (!found) {
    return tl::make_unexpected(found.error());
  }
  const auto& [language, compiler] = *found;
  auto program = Compilation::start(words_for_program(compiler, language, request));
  if (!program) {
    return tl::make_unexpected(program.error());
  }
  Compiled compiled;
  std::optional<Result<std::unique_ptr<Compilation>>> machine_code;
  if (request.wants_machine_code) {
    auto words = words_for_machine_code(compiler, request);
    words.insert(words.end(), {"-g", "-c", request.file, "-o", "-"});
    machine_code = Compilation::start(std::move(words));
    compiled.command = fmt::format("{} {}", compiler_of(language).program,
                                   fmt::join(optimising_words(request), " "));
  }
  auto ir = (*program)->finish();
  if (!ir) {
    return fail(ErrorCode::bad_input, fmt::format("{} does not compile", request.file), ir.error());
  }
  compiled.program = std::move(*ir);
  if (machine_code && *machine_code) {
    auto object = (**machine_code)->finish();
    compiled.why_not = object ? "" : object.error();
    compiled.machine_code = object ? std::move(*object) : "";
  }
  return compiled;
}

}  // namespace ridge::cli
