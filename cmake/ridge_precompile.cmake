# Headers that nearly every unit reads, compiled once for each target: a build from nothing is a fifth shorter
# (docs/decisions/0185-time-to-build.md). Off unless a preset asks for it: a unit that forgets an include compiles all the
# same with them. And off beside a compiler cache, which could not use what it has.
#
#   ridge_precompile(TARGET <header>...)

option(RIDGE_PRECOMPILED_HEADERS "Compile common headers once for each target" OFF)

function(ridge_precompile target)
  if(RIDGE_PRECOMPILED_HEADERS AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    list(TRANSFORM ARGN REPLACE "^(.+)$" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
