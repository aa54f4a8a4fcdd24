# Toolchain file: builds a whole project with Ridge's compilers.
#
#   cmake --toolchain PREFIX/lib/cmake/ridge/ridge.cmake -S . -B build-ridge
#
# The processor and the system stay those of this machine: it only names the compilers, which lie beside it.
cmake_path(SET ridge_bin NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
set(CMAKE_C_COMPILER "${ridge_bin}/ridge-cc")
set(CMAKE_CXX_COMPILER "${ridge_bin}/ridge-c++")
set(CMAKE_Fortran_COMPILER "${ridge_bin}/ridge-fc")
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_COMPILER_AR "${ridge_bin}/ridge-llvm-ar")
  set(CMAKE_${language}_COMPILER_RANLIB "${ridge_bin}/ridge-llvm-ranlib")
endforeach()
unset(ridge_bin)
