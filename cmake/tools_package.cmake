# What CMake finds of the tools: find_package(ridge) with ridge_instrument(), and a toolchain file. The same files in an
# installation and in the build tree, where they lie at the same places relative to bin/ and lib/ridge.
include(CMakePackageConfigHelpers)
set(tools_package "${PROJECT_BINARY_DIR}/lib/cmake/ridge")
foreach(file IN ITEMS ridge-config.cmake ridge_instrument.cmake ridge.cmake)
  configure_file("cmake/${file}" "${tools_package}/${file}" COPYONLY)
endforeach()
write_basic_package_version_file("${tools_package}/ridge-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${tools_package}/ridge-config.cmake" "${tools_package}/ridge-config-version.cmake"
              "${tools_package}/ridge_instrument.cmake" "${tools_package}/ridge.cmake"
        DESTINATION lib/cmake/ridge COMPONENT tools)
