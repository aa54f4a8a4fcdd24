# What an installation holds beside what each part installs itself. Everything lies at fixed
# relative places (bin/, lib/ridge/, share/), so that a prefix can be moved.
#
# Components: `tools`, `spmv` (the library alone), `doc`; each is a Debian package (package.cmake).
#
# Also the target `tools`: what a user needs, without any test.

add_custom_target(tools)
foreach(target IN ITEMS ridge ridge-cc ridge-model ridge-onnx ridge-picture ridge_bolt_runtime ridge_libraries ridge_llvm_pass ridge_mpi ridge_runtime ridge_runtime_static
                        ridge_kokkos ridge_spmv_archive ridge_valgrind_tool
                        ridge_man_pages)
  if(TARGET ${target})
    add_dependencies(tools ${target})
  endif()
endforeach()

if(TARGET ridge)
  install(TARGETS ridge RUNTIME DESTINATION bin COMPONENT tools)
endif()
foreach(target IN ITEMS ridge_bolt_runtime ridge_kokkos ridge_runtime ridge_runtime_static)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION lib/ridge COMPONENT tools
                              ARCHIVE DESTINATION lib/ridge COMPONENT tools)
  endif()
endforeach()
# What programs include to name their regions; in the build tree too, where ridge-cc looks for it.
set(marker_files marker.h ridge_marker.f90 compat/likwid-marker.h)
foreach(file IN LISTS marker_files)
  configure_file("${PROJECT_SOURCE_DIR}/include/ridge/${file}" "${PROJECT_BINARY_DIR}/include/ridge/${file}" COPYONLY)
endforeach()
install(DIRECTORY include/ridge DESTINATION include COMPONENT tools)
install(FILES README.md CHANGELOG.md LICENSE NOTICE CITATION.cff DESTINATION share/doc/ridge COMPONENT tools)
install(DIRECTORY docs/ DESTINATION share/doc/ridge/docs COMPONENT doc)
install(DIRECTORY machines DESTINATION share/ridge COMPONENT tools)
install(DIRECTORY examples DESTINATION share/ridge COMPONENT tools
        PATTERN "__pycache__" EXCLUDE)
