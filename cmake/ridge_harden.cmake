# What takes files, requests or the memory of a measured program is compiled so that a mistake there ends the
# process in place of giving it away (docs/decisions/0183-hardening.md). tests/hardening_test.py reads it back.
#
#   ridge_harden(TARGET...)     modules and executables; not the runtime and not the compiler plugin

option(RIDGE_HARDEN "Stack protector, checked string functions, PIE, read-only relocations" ON)

# Sanitizers check more, and by other means; _FORTIFY_SOURCE means nothing without optimisation.
set(RIDGE_HARDENED OFF)
if(RIDGE_HARDEN AND NOT RIDGE_SANITIZE AND NOT RIDGE_COVERAGE
   AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  set(RIDGE_HARDENED ON)
endif()

function(ridge_harden)
  if(NOT RIDGE_HARDENED)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    # -U: distributions set a level of their own.
    target_compile_options(${target} PRIVATE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      target_link_options(${target} PRIVATE -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    endif()
  endforeach()
endfunction()
