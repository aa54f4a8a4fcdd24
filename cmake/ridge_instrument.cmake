# ridge_instrument(TARGET...): single targets of a project that is configured with gcc or clang are compiled and linked
# with Ridge's counters. Target ridge::markers: the header for markers. Part of find_package(ridge); files and folders are those of the installation that it lies in.
#
# The compilers are replaced one command at a time, by ridge-launch as the launcher of each compiler; a ccache that is
# there stays in front of it (docs/decisions/0246-build-systems.md).

cmake_path(SET RIDGE_LAUNCH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../bin/ridge-launch")
cmake_path(SET ridge_runtime_folder NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../ridge")

# For what is linked by a compiler without Ridge: the option is one word, so that nothing is sorted or taken out of it.
set(ridge_runtime_option "-Wl,--push-state,--no-as-needed,-Bdynamic,${ridge_runtime_folder}/libridge_runtime.so,--pop-state,-rpath,${ridge_runtime_folder}")
set_property(GLOBAL PROPERTY RIDGE_RUNTIME_OPTION "${ridge_runtime_option}")
set_property(GLOBAL PROPERTY RIDGE_LAUNCH "${RIDGE_LAUNCH}")
unset(ridge_runtime_option)
unset(ridge_runtime_folder)

# Names for phases, in targets that another compiler builds too; Ridge's compilers find them by themselves.
cmake_path(SET ridge_include NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../include")
if(NOT TARGET ridge::markers AND EXISTS "${ridge_include}/ridge/marker.h")
  add_library(ridge::markers INTERFACE IMPORTED)
  target_include_directories(ridge::markers INTERFACE "${ridge_include}")
endif()
unset(ridge_include)

function(ridge_instrument)
  if(NOT CMAKE_GENERATOR MATCHES "Makefiles|Ninja")
    message(FATAL_ERROR "ridge_instrument: the generator ${CMAKE_GENERATOR} has no launchers of compilers. Use Ninja or Unix Makefiles.")
  endif()
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "ridge_instrument: there is no target ${target}. Call it after add_library or add_executable.")
    endif()
    get_target_property(target_type ${target} TYPE)
    get_target_property(is_imported ${target} IMPORTED)
    if(is_imported OR NOT target_type MATCHES "^(STATIC|SHARED|MODULE|OBJECT)_LIBRARY$|^EXECUTABLE$")
      message(FATAL_ERROR "ridge_instrument: nothing is compiled in ${target} (${target_type}). Name the targets that hold the sources.")
    endif()
    _ridge_launch(${target})
    _ridge_link(${target} ${target_type})
    # Sources may be added until the end of the folder.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _ridge_refuse_fortran [[${target}]])")
  endforeach()
endfunction()

function(_ridge_launch target)
  get_property(launch GLOBAL PROPERTY RIDGE_LAUNCH)
  foreach(language IN ITEMS C CXX)
    foreach(what IN ITEMS COMPILER LINKER)
      get_target_property(launcher ${target} ${language}_${what}_LAUNCHER)
      if(NOT launcher)
        set(launcher "")
      endif()
      if(NOT launch IN_LIST launcher)
        set_property(TARGET ${target} PROPERTY ${language}_${what}_LAUNCHER "${launch}" ${launcher})
      endif()
    endforeach()
  endforeach()
endfunction()

# Archives and objects are linked by others, and Fortran's programs by the Fortran compiler: they need the runtime too.
function(_ridge_link target target_type)
  get_property(option GLOBAL PROPERTY RIDGE_RUNTIME_OPTION)
  if(target_type MATCHES "STATIC|OBJECT")
    target_link_options(${target} INTERFACE "$<BUILD_INTERFACE:${option}>")
  else()
    target_link_options(${target} PRIVATE "$<$<LINK_LANGUAGE:Fortran>:${option}>")
  endif()
endfunction()

# The module files of gfortran and flang differ, and so do their libraries: half a program cannot be taken over.
function(_ridge_refuse_fortran target)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "Fortran" IN_LIST languages OR CMAKE_Fortran_COMPILER MATCHES "/ridge-fc$")
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.([fF]|[fF]9[05]|[fF]0[38]|[fF]77|for|FOR|ftn|FTN|fpp|FPP)$")
  if(sources)
    message(FATAL_ERROR "ridge_instrument: ${target} has Fortran sources (${sources}), and other targets could not read the module files of another compiler. Configure the whole project with --toolchain ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ridge.cmake, or keep Fortran in a target of its own.")
  endif()
endfunction()
