// Names of Fortran procedures as people write them, from those that compilers make of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::measure {

/// "module::procedure" of gfortran's "__module_MOD_procedure", Intel's "module_mp_procedure_" and
/// flang's "_QMmodulePprocedure"; hosts of internal procedures come in between
/// ("solver::run::step"), the main program does not. It has no linkage name of its own in any of
/// them and is "main program". nullopt for everything else, "dgemm_" too: C writes such names as
/// well.
[[nodiscard]] std::optional<std::string> fortran_name(std::string_view linkage_name);

}  // namespace ridge::measure
