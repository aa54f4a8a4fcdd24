# find_package(ridge): the function ridge_instrument(TARGET...). Belongs to the tools.
#
# ridgeConfig.cmake, of the library of sparse products, lies in the same folder where both are installed; CMake then takes
# that one, which includes what this one includes.
if(CMAKE_VERSION VERSION_LESS 3.21)
  set(ridge_FOUND FALSE)
  set(ridge_NOT_FOUND_MESSAGE "ridge_instrument needs CMake 3.21 or newer; this is ${CMAKE_VERSION}")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/ridge_instrument.cmake")
set(ridge_instrument_FOUND TRUE)
foreach(part IN LISTS ridge_FIND_COMPONENTS)
  if(NOT ridge_${part}_FOUND AND ridge_FIND_REQUIRED_${part})
    set(ridge_FOUND FALSE)
    set(ridge_NOT_FOUND_MESSAGE "no component ${part} is installed in ${CMAKE_CURRENT_LIST_DIR} (spmv: the package ridge-spmv-dev)")
  endif()
endforeach()
