# Runs in cpack, once for each package, after its files were installed into a folder and before they are packed: adds what
# Debian's policy asks of every package.
# In: CPACK_TEMPORARY_INSTALL_DIRECTORY (holds a folder for each component), CPACK_PACKAGE_VERSION,
# CPACK_DEBIAN_PACKAGE_RELEASE, CPACK_PACKAGE_CONTACT, CPACK_RIDGE_SOURCE.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The same bytes whenever it is made of the same commit.
function(date_of_source result)
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY "${CPACK_RIDGE_SOURCE}"
                  OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    file(TIMESTAMP "${CPACK_RIDGE_SOURCE}/CHANGELOG.md" seconds "%s" UTC)
  endif()
  execute_process(COMMAND date --utc --rfc-email --date=@${seconds} OUTPUT_VARIABLE date
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${date}" PARENT_SCOPE)
endfunction()

function(add_policy_files folder package)
  set(doc "${folder}/usr/share/doc/${package}")
  file(MAKE_DIRECTORY "${doc}")
  file(READ "${CPACK_RIDGE_SOURCE}/LICENSE" license)
  file(READ "${CPACK_RIDGE_SOURCE}/NOTICE" notice)
  file(WRITE "${doc}/copyright" "${license}\n${notice}\n"
       "On Debian systems the GNU General Public License, version 2, is in /usr/share/common-licenses/GPL-2.\n")
  date_of_source(date)
  set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
  file(WRITE "${doc}/changelog.Debian"
       "ridge (${version}) bookworm; urgency=medium\n\n  * What changed stands in changelog.gz.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(COPY_FILE "${CPACK_RIDGE_SOURCE}/CHANGELOG.md" "${doc}/changelog")
  run(gzip -9nf "${doc}/changelog.Debian" "${doc}/changelog")
  # Their text is in `copyright` and `changelog.gz`.
  file(REMOVE "${doc}/LICENSE" "${doc}/NOTICE" "${doc}/CHANGELOG.md" "${folder}/usr/share/doc/ridge/LICENSE")
  file(GLOB files "${doc}/*")
  foreach(file IN LISTS files)
    if(NOT IS_DIRECTORY "${file}")
      file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    endif()
  endforeach()
endfunction()

# Tools of Valgrind are static: they run in the place of the program that they look at.
function(add_overrides folder package)
  set(overrides "${folder}/usr/share/lintian/overrides")
  file(MAKE_DIRECTORY "${overrides}")
  file(WRITE "${overrides}/${package}"
       "# Tools of Valgrind are: they run in the place of the program that they look at.\n"
       "${package}: statically-linked-binary [usr/lib/ridge/valgrind/*]\n")
  file(CHMOD "${overrides}/${package}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

function(compress_man_pages folder)
  file(GLOB pages "${folder}/usr/share/man/man1/*.1")
  foreach(page IN LISTS pages)
    if(IS_SYMLINK "${page}")
      file(READ_SYMLINK "${page}" target)
      file(REMOVE "${page}")
      file(CREATE_LINK "${target}.gz" "${page}.gz" SYMBOLIC)
    else()
      run(gzip -9nf "${page}")
    endif()
  endforeach()
endfunction()

# CMake strips programs and shared libraries, not archives.
function(strip_archives folder)
  file(GLOB_RECURSE archives "${folder}/usr/lib/*.a")
  foreach(archive IN LISTS archives)
    run(strip --strip-debug --enable-deterministic-archives "${archive}")
  endforeach()
endfunction()

foreach(pair IN ITEMS tools=ridge spmv=ridge-spmv-dev doc=ridge-doc)
  string(REGEX MATCH "^(.*)=(.*)$" matched "${pair}")
  set(folder "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${CMAKE_MATCH_1}")
  set(package "${CMAKE_MATCH_2}")
  if(IS_DIRECTORY "${folder}")
    add_policy_files("${folder}" "${package}")
    compress_man_pages("${folder}")
    strip_archives("${folder}")
  endif()
  if(IS_DIRECTORY "${folder}/usr/lib/ridge/valgrind")
    add_overrides("${folder}" "${package}")
  endif()
endforeach()
