# What find_package(ridge COMPONENTS spmv) finds: one archive with everything that src/spmv needs of
# Ridge, and the headers that are for others, with the include paths of the sources
# (docs/decisions/0143-library-of-sparse-products.md). In an installation and in the build tree.
#
#   cmake --install BUILD --component spmv --prefix PREFIX     the library alone

include(CMakePackageConfigHelpers)
find_package(tl-expected REQUIRED)
find_package(ZLIB REQUIRED)

# Headers that other projects include, and nothing that these do not include themselves.
set(spmv_public_headers
  core/result.hpp
  spmv/matrix/array.hpp spmv/matrix/csr.hpp spmv/matrix/pattern_view.hpp spmv/matrix/spy.hpp
  spmv/generate/generate.hpp
  spmv/read/matrix_file.hpp
  spmv/format/bcsr.hpp spmv/format/binned.hpp spmv/format/gather_blocked.hpp spmv/format/pattern_sell.hpp
  spmv/format/sell_c_sigma.hpp spmv/format/symmetric.hpp spmv/format/to_csr.hpp spmv/format/transposed.hpp
  spmv/format/many.hpp spmv/format/powers.hpp spmv/format/product.hpp spmv/format/code_balance.hpp
  spmv/format/traffic.hpp
  spmv/kernel/kernels.hpp spmv/kernel/schedule.hpp
  spmv/study/tune.hpp spmv/study/facts.hpp spmv/study/reorder.hpp)
foreach(header IN LISTS spmv_public_headers)
  file(STRINGS "src/${header}" includes REGEX "^#include \"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST spmv_public_headers)
      message(SEND_ERROR "src/${header} includes ${included}, which is not installed: add it to spmv_public_headers")
    endif()
  endforeach()
endforeach()

# Of platform only what reads the limits of control groups and what writes files: the rest would ask for hwloc.
add_library(ridge_spmv_archive STATIC
  $<TARGET_OBJECTS:ridge_spmv> $<TARGET_OBJECTS:ridge_core>
  "$<FILTER:$<TARGET_OBJECTS:ridge_platform>,INCLUDE,/(quota|file)\\.cpp>")
set_target_properties(ridge_spmv_archive PROPERTIES
  OUTPUT_NAME ridge_spmv EXPORT_NAME spmv LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_compile_features(ridge_spmv_archive INTERFACE cxx_std_20)
target_include_directories(ridge_spmv_archive INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/ridge>)
target_link_libraries(ridge_spmv_archive
  INTERFACE OpenMP::OpenMP_CXX tl::expected
  PRIVATE fmt::fmt Threads::Threads ZLIB::ZLIB)

set(spmv_package_files lib/cmake/ridge)
install(TARGETS ridge_spmv_archive EXPORT ridgeTargets ARCHIVE DESTINATION lib COMPONENT spmv)
foreach(header IN LISTS spmv_public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "src/${header}" DESTINATION include/ridge/${folder} COMPONENT spmv)
endforeach()
install(EXPORT ridgeTargets NAMESPACE ridge:: DESTINATION ${spmv_package_files} COMPONENT spmv)
export(EXPORT ridgeTargets NAMESPACE ridge:: FILE "${PROJECT_BINARY_DIR}/ridgeTargets.cmake")

# The configuration is the same beside the build tree's targets as beside the installed ones.
configure_package_config_file(cmake/ridgeConfig.cmake.in "${PROJECT_BINARY_DIR}/ridgeConfig.cmake"
                              INSTALL_DESTINATION ${spmv_package_files} NO_SET_AND_CHECK_MACRO)
# 0.x: a minor version may change what the headers declare.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ridgeConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ridgeConfig.cmake" "${PROJECT_BINARY_DIR}/ridgeConfigVersion.cmake"
        DESTINATION ${spmv_package_files} COMPONENT spmv)
install(FILES LICENSE DESTINATION share/doc/ridge COMPONENT spmv)
