#include "launch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ridge::wrapper {
namespace {

struct Name {
  std::string_view compiler;
  std::string_view wrapper;
};

constexpr std::string_view kC = "ridge-cc";
constexpr std::string_view kCxx = "ridge-c++";
constexpr std::string_view kFortran = "ridge-fc";

constexpr std::array<Name, 20> kCompilers{{{"cc", kC},
                                           {"gcc", kC},
                                           {"clang", kC},
                                           {"icx", kC},
                                           {"icc", kC},
                                           {"c99", kC},
                                           {"nvc", kC},
                                           {"c++", kCxx},
                                           {"g++", kCxx},
                                           {"clang++", kCxx},
                                           {"icpx", kCxx},
                                           {"icpc", kCxx},
                                           {"nvc++", kCxx},
                                           {"gfortran", kFortran},
                                           {"flang", kFortran},
                                           {"flang-new", kFortran},
                                           {"ifx", kFortran},
                                           {"ifort", kFortran},
                                           {"nvfortran", kFortran},
                                           {"f95", kFortran}}};

constexpr std::array<Name, 7> kMpiCompilers{{{"mpicc", kC},
                                             {"mpicxx", kCxx},
                                             {"mpic++", kCxx},
                                             {"mpiCC", kCxx},
                                             {"mpifort", kFortran},
                                             {"mpif90", kFortran},
                                             {"mpif77", kFortran}}};

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// "g++-12.2" -> "g++".
std::string_view without_version(std::string_view name) {
  const auto dash = name.rfind('-');
  const bool has_version =
      dash != std::string_view::npos && dash + 1 < name.size() &&
      name.find_first_not_of("0123456789.", dash + 1) == std::string_view::npos;
  return has_version ? name.substr(0, dash) : name;
}

template <std::size_t N>
std::optional<std::string_view> find(const std::array<Name, N>& names, std::string_view compiler) {
  const auto* found = std::find_if(names.begin(), names.end(),
                                   [&](const Name& name) { return name.compiler == compiler; });
  return found == names.end() ? std::nullopt : std::optional(found->wrapper);
}

std::optional<std::string_view> wrapper_in_mpi(std::string_view compiler) {
  return find(kMpiCompilers, without_version(base_name(compiler)));
}

bool is_cache(const std::string& program) {
  return without_version(base_name(program)) == "ccache";
}

/// Each MPI has its own names for them.
std::vector<std::pair<std::string, std::string>> told_to_mpi(std::string_view wrapper,
                                                             const std::string& path) {
  std::vector<const char*> names{"OMPI_FC", "MPICH_FC", "I_MPI_FC", "I_MPI_F90"};
  if (wrapper == kC) {
    names = {"OMPI_CC", "MPICH_CC", "I_MPI_CC"};
  } else if (wrapper == kCxx) {
    names = {"OMPI_CXX", "MPICH_CXX", "I_MPI_CXX"};
  }
  std::vector<std::pair<std::string, std::string>> variables;
  for (const char* name : names) {
    variables.emplace_back(name, path);
  }
  return variables;
}

}  // namespace

std::optional<std::string_view> wrapper_in_place_of(std::string_view compiler) {
  std::string_view name = without_version(base_name(compiler));
  if (name.starts_with("x86_64-") && name.find("-linux-") != std::string_view::npos) {
    name = name.substr(name.rfind('-') + 1);  // x86_64-linux-gnu-gcc
  }
  for (const std::string_view wrapper : {kC, kCxx, kFortran}) {
    if (name == wrapper) {
      return wrapper;
    }
  }
  return find(kCompilers, name);
}

std::optional<Launch> launch(const std::vector<std::string>& arguments, const std::string& folder) {
  Launch result;
  const auto compiler = std::find_if_not(arguments.begin(), arguments.end(), is_cache);
  if (compiler == arguments.end()) {
    return std::nullopt;
  }
  result.is_cached = compiler != arguments.begin();
  result.command.assign(arguments.begin(), compiler);
  // The wrapper then takes the options of the compiler that was there.
  result.environment.emplace_back("RIDGE_LAUNCHED", "1");
  if (const auto wrapper = wrapper_in_place_of(*compiler)) {
    result.command.push_back(folder + "/" + std::string(*wrapper));
  } else if (const auto told = wrapper_in_mpi(*compiler)) {
    result.command.push_back(*compiler);
    for (auto& variable : told_to_mpi(*told, folder + "/" + std::string(*told))) {
      result.environment.push_back(std::move(variable));
    }
  } else {
    return std::nullopt;
  }
  result.command.insert(result.command.end(), compiler + 1, arguments.end());
  return result;
}

}  // namespace ridge::wrapper
