# Debian packages: `cpack -G DEB` in a build folder writes ridge, ridge-spmv-dev and ridge-doc
# (docs/decisions/0214-packages.md). What Debian wants of every package and no other installation needs
# (copyright, changelog, compressed man pages) is added by package_files.cmake, which runs before each is packed.

set(RIDGE_PACKAGE_MAINTAINER "The Ridge developers <developers@ridge.invalid>" CACHE STRING
    "Name and address in the Debian packages")

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ridge)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own, as the first line of its description
set(CPACK_PACKAGE_VENDOR "The Ridge developers")
set(CPACK_PACKAGE_CONTACT "${RIDGE_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package_files.cmake")
set(CPACK_RIDGE_SOURCE "${PROJECT_SOURCE_DIR}") # for that script

set(CPACK_COMPONENTS_ALL tools spmv doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME ridge)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# The plugin is made for one LLVM and is loaded by its clang; libraries come from dpkg-shlibdeps.
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "clang-19 (>= 1:19.1), clang-19 (<< 1:20), libomp-19-dev")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libclang-rt-19-dev, valgrind, bolt-19")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "ridge-doc, ridge-spmv-dev, flang-19, gnuplot-nox")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Roofline performance engineering without hardware counters
Ridge says how fast any loop of a program could be on this machine, what is
in the way, and what would change it. A compiler plugin counts the flops and
bytes of every loop, a simulation of the caches gives its traffic, the roofs
of the machine are measured.
.
This package holds ridge, the compilers ridge-cc, ridge-c++ and ridge-fc with
the plugin and its runtime, and figures published about other machines.")

set(CPACK_DEBIAN_SPMV_PACKAGE_NAME ridge-spmv-dev)
set(CPACK_DEBIAN_SPMV_PACKAGE_SECTION libdevel)
# What the static archive leaves open, and what its headers include.
set(CPACK_DEBIAN_SPMV_PACKAGE_DEPENDS "libexpected-dev, libfmt-dev, zlib1g-dev")
set(CPACK_DEBIAN_SPMV_PACKAGE_SUGGESTS "cmake, ridge-doc")
set(CPACK_DEBIAN_SPMV_DESCRIPTION "sparse matrix-vector products (development files)
The kernels that \"ridge spmv\" measures, as a static library with headers:
CSR, SELL-C-sigma, blocked, pattern and symmetric formats, several vectors,
matrix powers. CMake finds it by find_package(ridge COMPONENTS spmv).")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME ridge-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_DESCRIPTION "Roofline performance engineering (documentation)
Guide, theory, file formats and decision records of Ridge as Markdown.")

include(CPack)
