/* Names for what a program does, as `ridge run` shows them: regions of kind `marker`.
 *
 *   ridge_marker_start("assembly");            C and C++
 *   ...
 *   ridge_marker_stop("assembly");
 *
 *   { ridge::Marker marker("assembly"); ... }  C++: stops where the scope ends, also by an
 * exception
 *
 * Nothing is to be linked. In a program that was not built with ridge-cc, ridge-c++ or ridge-fc, a
 * call is a load and a branch; in one that was, and that runs without `ridge run`, a call that
 * returns at once. Markers may lie inside each other and overlap; a name stands for the same marker
 * wherever it is started. Guide: docs/guide/markers.md.
 *
 * RIDGE_MARKER_START(name), RIDGE_MARKER_STOP(name) and RIDGE_MARKER_SCOPE(name) (C++) are the
 * same; with RIDGE_MARKERS_OFF defined they are nothing at all, and their arguments are not
 * evaluated. */
#ifndef RIDGE_MARKER_H
#define RIDGE_MARKER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of Ridge's runtime; null where it is not part of the program. */
__attribute__((weak)) void ridge_marker_begin(const char* name);
__attribute__((weak)) void ridge_marker_end(const char* name);

/* Names are NUL-terminated; Ridge keeps a copy. */
__attribute__((always_inline)) static inline void ridge_marker_start(const char* name) {
  if (ridge_marker_begin) {
    ridge_marker_begin(name);
  }
}

/* By the thread that started it. A stop without a start does nothing but leave a note. */
__attribute__((always_inline)) static inline void ridge_marker_stop(const char* name) {
  if (ridge_marker_end) {
    ridge_marker_end(name);
  }
}

#ifdef __cplusplus
}

namespace ridge {

/// Marks the scope that it stands in. The text must live as long as the marker.
class Marker {
 public:
  __attribute__((always_inline)) explicit Marker(const char* name) : name_(name) {
    ridge_marker_start(name_);
  }
  __attribute__((always_inline)) ~Marker() { ridge_marker_stop(name_); }
  Marker(const Marker&) = delete;
  Marker& operator=(const Marker&) = delete;

 private:
  const char* name_;
};

}  // namespace ridge
#endif

#define RIDGE_MARKER_JOIN_(a, b) a##b
#define RIDGE_MARKER_NAMED_(line) RIDGE_MARKER_JOIN_(ridge_marker_of_line_, line)
#ifdef RIDGE_MARKERS_OFF
#define RIDGE_MARKER_START(name) ((void)0)
#define RIDGE_MARKER_STOP(name) ((void)0)
#define RIDGE_MARKER_SCOPE(name) ((void)0)
#else
#define RIDGE_MARKER_START(name) ridge_marker_start(name)
#define RIDGE_MARKER_STOP(name) ridge_marker_stop(name)
#ifdef __cplusplus
#define RIDGE_MARKER_SCOPE(name) const ridge::Marker RIDGE_MARKER_NAMED_(__LINE__)(name)
#endif
#endif

#endif
