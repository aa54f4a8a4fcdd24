#include "measure/code/fortran_names.hpp"

#include <cctype>

namespace ridge::measure {
namespace {

constexpr std::string_view kMainProgram = "main program";

bool is_of_identifier(char c) {
  const auto letter = static_cast<unsigned char>(c);
  return std::islower(letter) != 0 || std::isdigit(letter) != 0 || c == '_';
}

/// Letters of flang for what a name stands in or is: module, submodule, host, procedure.
bool is_scope(char c) {
  return c == 'M' || c == 'S' || c == 'F' || c == 'P';
}

std::optional<std::string> of_flang(std::string_view name) {
  constexpr std::string_view kPrefix = "_Q";
  if (name == "_QQmain") {
    return std::string(kMainProgram);
  }
  if (!name.starts_with(kPrefix)) {
    return std::nullopt;
  }
  std::string made;
  name.remove_prefix(kPrefix.size());
  while (!name.empty()) {
    std::size_t end = 1;
    while (end < name.size() && is_of_identifier(name[end])) {
      ++end;
    }
    const bool is_main_program = name.front() == 'F' && end == 1;  // it has no name
    if (!is_scope(name.front()) || (end == 1 && !is_main_program)) {
      return std::nullopt;
    }
    made += (made.empty() ? "" : "::") + std::string(name.substr(1, end - 1));
    name.remove_prefix(end);
  }
  return made.empty() ? std::nullopt : std::optional(made);
}

std::optional<std::string> of_gfortran(std::string_view name) {
  constexpr std::string_view kBetween = "_MOD_";
  if (name == "MAIN__") {
    return std::string(kMainProgram);
  }
  const auto at = name.find(kBetween);
  if (!name.starts_with("__") || at == std::string_view::npos || at <= 2 ||
      at + kBetween.size() == name.size()) {
    return std::nullopt;
  }
  return std::string(name.substr(2, at - 2)) +
         "::" + std::string(name.substr(at + kBetween.size()));
}

std::optional<std::string> of_intel(std::string_view name) {
  constexpr std::string_view kBetween = "_mp_";
  const auto at = name.find(kBetween);
  if (at == std::string_view::npos || at == 0 || !name.ends_with('_') ||
      at + kBetween.size() + 1 >= name.size()) {
    return std::nullopt;
  }
  const auto procedure = name.substr(at + kBetween.size());
  return std::string(name.substr(0, at)) +
         "::" + std::string(procedure.substr(0, procedure.size() - 1));
}

}  // namespace

std::optional<std::string> fortran_name(std::string_view linkage_name) {
  const std::string_view base = linkage_name.substr(0, linkage_name.find('.', 1));
  for (const auto of : {of_flang, of_gfortran, of_intel}) {
    if (auto name = of(base)) {
      return name;
    }
  }
  return std::nullopt;
}

}  // namespace ridge::measure
