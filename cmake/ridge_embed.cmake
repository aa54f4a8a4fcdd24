# Embeds a text file in a target as `extern const std::string_view NAME` of namespace ridge::embedded.
#
#   ridge_embed_text(TARGET NAME FILE)
#
# Data and help texts live in the binary, so that no run-time path can be wrong.

function(ridge_embed_text target name file)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp")
  get_filename_component(absolute "${file}" ABSOLUTE)
  add_custom_command(OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DINPUT=${absolute} -DOUTPUT=${source}
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake"
    DEPENDS "${absolute}" "${PROJECT_SOURCE_DIR}/cmake/embed_text_script.cmake"
    COMMENT "Embedding ${file}" VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
