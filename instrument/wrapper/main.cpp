// ridge-cc and ridge-c++: clang, and ridge-fc: flang, with Ridge's compiler plugin and runtime. One
// program under several names; the name decides the language, or that it is the archiver that
// belongs to them, or ridge-launch, which starts one of them in place of another compiler.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "launch.hpp"
#include "translate.hpp"

namespace {

constexpr int kUsage = 2;  // docs/formats/exit-codes.md
constexpr int kUnavailable = 4;
constexpr std::string_view kPluginName = "ridge_llvm_pass.so";

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string environment_or(const char* name, const char* fallback) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : fallback;
}

std::filesystem::path own_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

ridge::wrapper::Installation find_installation() {
  const auto prefix = own_folder().parent_path();
  const auto library = prefix / "lib" / "ridge";
  return {library / kPluginName, library, prefix / "include"};
}

/// Returns only where the tool cannot be started, with errno set.
void become(const std::string& tool, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(tool.c_str())};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  execvp(tool.c_str(), argv.data());
}

/// A compiler of LLVM 19.
struct Compiler {
  ridge::wrapper::Driver driver;
  const char* variable;  ///< of the environment: names another one
  const char* program;
  const char* package;
  const char* what;
};

Compiler compiler_of(const std::string& name) {
  using ridge::wrapper::Driver;
  if (name.ends_with("-fc")) {
    return {Driver::flang, "RIDGE_FLANG", "flang-new-19", "flang-19", "flang 19"};
  }
  return name.ends_with("++")
             ? Compiler{Driver::clang, "RIDGE_CLANGXX", "clang++-19", "clang-19", "clang 19"}
             : Compiler{Driver::clang, "RIDGE_CLANG", "clang-19", "clang-19", "clang 19"};
}

int run_compiler(const std::string& name, const Compiler& compiler,
                 const std::vector<std::string>& arguments) {
  const std::string program = environment_or(compiler.variable, compiler.program);
  become(program, arguments);
  std::fprintf(stderr, "%s: cannot start %s: %s\n", name.c_str(), program.c_str(),
               std::strerror(errno));
  std::fprintf(stderr, "%s: install the package %s, or name a %s in %s\n", name.c_str(),
               compiler.package, compiler.what, compiler.variable);
  return kUnavailable;
}

/// "ar" or "ranlib" of the names that build systems look for beside a compiler, else empty.
/// Objects are never bitcode (-flto is left out), so that any archiver will do.
std::string archiver_of(const std::string& name) {
  for (const char* tool : {"ranlib", "ar"}) {
    if (name.ends_with(std::string("-") + tool)) {
      return tool;
    }
  }
  return {};
}

int run_archiver(const std::string& name, const std::string& tool,
                 const std::vector<std::string>& arguments) {
  become("llvm-" + tool + "-19", arguments);
  become(tool, arguments);
  std::fprintf(stderr, "%s: cannot start llvm-%s-19 or %s: %s\n", name.c_str(), tool.c_str(),
               tool.c_str(), std::strerror(errno));
  std::fprintf(stderr, "%s: install the package binutils\n", name.c_str());
  return kUnavailable;
}

/// ccache hashes the wrapper, not what it loads: without this it would take objects that another
/// version of Ridge has made, or a plain build.
void tell_cache(const std::string& plugin) {
  const std::string before = environment_or("CCACHE_EXTRAFILES", "");
  setenv("CCACHE_EXTRAFILES", (before.empty() ? plugin : before + ":" + plugin).c_str(), 1);
}

int run_launched(const std::string& name, const std::vector<std::string>& arguments, bool plain) {
  const auto launch = ridge::wrapper::launch(arguments, own_folder());
  if (!launch) {
    const std::string what = arguments.empty()
                                 ? "no compiler is given"
                                 : arguments.front() + " is no compiler that is known here";
    std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
    std::fprintf(
        stderr,
        "%s: put it in front of gcc, g++, clang, gfortran, mpicc ..., or set CC, CXX and FC "
        "to ridge-cc, ridge-c++ and ridge-fc\n",
        name.c_str());
    return kUsage;
  }
  for (const auto& [variable, value] : launch->environment) {
    setenv(variable.c_str(), value.c_str(), 1);
  }
  if (launch->is_cached && !plain) {
    tell_cache(find_installation().plugin);
  }
  const std::string& program = launch->command.front();
  become(program, {launch->command.begin() + 1, launch->command.end()});
  std::fprintf(stderr, "%s: cannot start %s: %s\n", name.c_str(), program.c_str(),
               std::strerror(errno));
  return kUnavailable;
}

/// ridge-launch says so to the wrapper that it starts, through ccache or mpicc too.
ridge::wrapper::Driver driver_of(const Compiler& compiler) {
  using ridge::wrapper::Driver;
  const bool launched = environment_or("RIDGE_LAUNCHED", "0") != "0";
  return launched && compiler.driver == Driver::clang ? Driver::clang_for_gcc : compiler.driver;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "ridge-cc").filename();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (const std::string tool = archiver_of(name); !tool.empty()) {
    return run_archiver(name, tool, arguments);
  }
  const bool plain = environment_or("RIDGE_PLAIN", "0") != "0";
  if (name.ends_with("-launch")) {
    return run_launched(name, arguments, plain);
  }
  const Compiler compiler = compiler_of(name);
  const auto installation = find_installation();
  const auto translation =
      ridge::wrapper::translate(arguments, driver_of(compiler), installation, plain, read_file);
  for (const std::string& warning : translation.warnings) {
    std::fprintf(stderr, "%s: warning: %s\n", name.c_str(), warning.c_str());
  }
  if (translation.instruments && access(installation.plugin.c_str(), R_OK) != 0) {
    std::fprintf(stderr, "%s: the compiler plugin %s is missing\n", name.c_str(),
                 installation.plugin.c_str());
    std::fprintf(stderr, "%s: build or install Ridge completely, or set RIDGE_PLAIN=1\n",
                 name.c_str());
    return kUnavailable;
  }
  if (setenv("RIDGE_FLAGS", translation.flags.c_str(), 1) != 0) {
    std::perror("ridge-cc: setenv");
    return kUnavailable;
  }
  return run_compiler(name, compiler, translation.arguments);
}
