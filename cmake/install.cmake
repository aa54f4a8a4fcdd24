# What an installation holds beside what each part installs itself. Everything lies at fixed
# relative places (bin/, lib/ridge/, share/), so that a prefix can be moved.
#
# Also the target `tools`: what a user needs, without any test.

function(ridge_collect_tools out directory)
  get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
  set(found)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$" AND NOT target MATCHES "_test")
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(subdirectories DIRECTORY "${directory}" PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    ridge_collect_tools(below "${subdirectory}")
    list(APPEND found ${below})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

ridge_collect_tools(tools "${PROJECT_SOURCE_DIR}")
add_custom_target(tools DEPENDS ${tools})

if(TARGET ridge)
  install(TARGETS ridge RUNTIME DESTINATION bin)
endif()
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION share/doc/ridge)
install(DIRECTORY docs/ DESTINATION share/doc/ridge/docs)
install(DIRECTORY machines DESTINATION share/ridge)
install(DIRECTORY examples DESTINATION share/ridge
        PATTERN "__pycache__" EXCLUDE)
