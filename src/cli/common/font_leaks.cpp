// For builds with the address sanitizer only: the fonts' library keeps its tables until the process
// ends.

// NOLINTBEGIN(*-reserved-identifier,*-dcl37-c,*-dcl51-cpp,*-identifier-naming): its name
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}
// NOLINTEND(*-reserved-identifier,*-dcl37-c,*-dcl51-cpp,*-identifier-naming)
