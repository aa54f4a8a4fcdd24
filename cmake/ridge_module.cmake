# The one build function: a module is a static library, its header check, and one test executable
# that links nothing but that library.
#
#   ridge_module(NAME SOURCES a.cpp ... HEADERS a.hpp ... [DEPENDS core fmt::fmt ...]
#                [PRIVATE_DEPENDS ...] [TESTS a_test.cpp ...] [TEST_DEPENDS ...])
#
# DEPENDS names other modules without prefix, or any CMake target. Tests run with the label `unit`
# in the module's source folder, so that they find `testdata/` by a relative path.

include(GoogleTest)

set(RIDGE_SANITIZE "" CACHE STRING "Comma separated sanitizers, e.g. address,undefined")
option(RIDGE_COVERAGE "Instrument for gcov" OFF)
option(RIDGE_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)

add_library(ridge_options INTERFACE)
# Off: -Wmissing-field-initializers (designated initialisers leave the rest to the defaults on
# purpose) and -Wrestrict (g++ 12 warns of std::string::operator+ itself, GCC bug 105329).
target_compile_options(ridge_options INTERFACE
  -Wall -Wextra -Wshadow -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<BOOL:${RIDGE_WARNINGS_AS_ERRORS}>:-Werror>)
if(RIDGE_SANITIZE)
  target_compile_options(ridge_options INTERFACE -fsanitize=${RIDGE_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
  target_link_options(ridge_options INTERFACE -fsanitize=${RIDGE_SANITIZE})
endif()
if(RIDGE_COVERAGE)
  target_compile_options(ridge_options INTERFACE --coverage)
  target_link_options(ridge_options INTERFACE --coverage)
endif()

# Tests are compiled often and run once: what the compiler spends on them is most of what a build takes. The modules that they
# test keep the optimisation that users get (docs/decisions/0185-time-to-build.md).
add_library(ridge_test_options INTERFACE)
target_compile_options(ridge_test_options INTERFACE $<$<CONFIG:Release,RelWithDebInfo>:-O1> -g1)
target_link_libraries(ridge_test_options INTERFACE ridge_options)
add_custom_target(unit_tests)

# ridge_unit_tests(TARGET PREFIX): a test executable's tests with the label `unit`, run in the source folder. Threads of OpenMP
# sleep when they wait: those that spin take the cores from the test beside them, which then spins for longer itself. Under
# sanitizers, where a process needs longer to begin and end than most tests to run, a few processes share out the tests of an
# executable; otherwise each has its own.
function(ridge_unit_tests target prefix)
  target_link_libraries(${target} PRIVATE ridge_test_options)
  add_dependencies(unit_tests ${target})
  set(environment OMP_WAIT_POLICY=passive)
  if(NOT RIDGE_SANITIZE)
    gtest_discover_tests(${target} TEST_PREFIX "${prefix}." PROPERTIES LABELS unit ENVIRONMENT "${environment}"
                         WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" DISCOVERY_TIMEOUT 60)
    return()
  endif()
  set(shards 4)
  foreach(shard RANGE 1 ${shards})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${prefix}.${shard}_of_${shards} COMMAND ${target} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set_tests_properties(${prefix}.${shard}_of_${shards} PROPERTIES LABELS unit
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

function(ridge_resolve_targets out)
  set(resolved)
  foreach(name IN LISTS ARGN)
    if(name MATCHES "::|^-|^/" OR NOT EXISTS "${PROJECT_SOURCE_DIR}/src/${name}")
      list(APPEND resolved ${name})
    else()
      list(APPEND resolved ridge_${name})
    endif()
  endforeach()
  set(${out} ${resolved} PARENT_SCOPE)
endfunction()

function(ridge_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;DEPENDS;PRIVATE_DEPENDS;TESTS;TEST_DEPENDS" ${ARGN})
  ridge_resolve_targets(depends ${arg_DEPENDS})
  ridge_resolve_targets(private_depends ${arg_PRIVATE_DEPENDS})

  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(ridge_${name} STATIC ${arg_SOURCES})
    target_link_libraries(ridge_${name} PUBLIC ${depends} PRIVATE ${private_depends} ridge_options)
    ridge_harden(ridge_${name})
    ridge_precompile(ridge_${name} <algorithm> <array> <cmath> <cstdint> <functional> <map> <optional> <string>
                     <string_view> <utility> <vector> <fmt/format.h>)
  else()
    set(scope INTERFACE)
    add_library(ridge_${name} INTERFACE)
    target_link_libraries(ridge_${name} INTERFACE ${depends})
  endif()
  add_library(ridge::${name} ALIAS ridge_${name})
  target_compile_features(ridge_${name} ${scope} cxx_std_20) # for a project that has this one as a folder
  target_include_directories(ridge_${name} ${scope} "${PROJECT_SOURCE_DIR}/src"
                                                    "${PROJECT_SOURCE_DIR}"
                                                    "${PROJECT_BINARY_DIR}/generated")
  # Every public header compiles alone: target all_verify_interface_header_sets.
  if(arg_HEADERS)
    target_sources(ridge_${name} ${scope} FILE_SET headers TYPE HEADERS
                   BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${arg_HEADERS})
    set_target_properties(ridge_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endif()

  if(BUILD_TESTING AND arg_TESTS)
    ridge_resolve_targets(test_depends ${arg_TEST_DEPENDS})
    add_executable(${name}_test ${arg_TESTS})
    target_link_libraries(${name}_test PRIVATE ridge_${name} ${test_depends} GTest::gmock_main GTest::gtest)
    ridge_unit_tests(${name}_test ${name})
  endif()
endfunction()
