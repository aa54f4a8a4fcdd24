/* For code that holds LIKWID's marker macros: the same names, as markers of Ridge. Nothing of
 * LIKWID is needed or linked. With -I<prefix>/include/ridge/compat in front,
 *
 *   #include <likwid-marker.h>
 *
 * finds this file. As people's code has it, the macros do something where LIKWID_PERFMON is
 * defined. What Ridge has no use for does nothing: initialisation, registration, the end, changes
 * of the group, resets. LIKWID_MARKER_GET gives no counters, no events and no time: figures are in
 * the profile, not in the program. */
#ifndef RIDGE_COMPAT_LIKWID_MARKER_H
#define RIDGE_COMPAT_LIKWID_MARKER_H

#ifdef LIKWID_PERFMON

#include "../marker.h"

#define LIKWID_MARKER_INIT ((void)0)
#define LIKWID_MARKER_THREADINIT ((void)0)
#define LIKWID_MARKER_REGISTER(name) ((void)(name))
#define LIKWID_MARKER_START(name) ridge_marker_start(name)
#define LIKWID_MARKER_STOP(name) ridge_marker_stop(name)
#define LIKWID_MARKER_CLOSE ((void)0)
#define LIKWID_MARKER_SWITCH ((void)0)
#define LIKWID_MARKER_RESET(name) ((void)(name))
#define LIKWID_MARKER_GET(name, number_of_events, events, time, count) \
  ((void)(name), (void)(events), *(number_of_events) = 0, *(time) = 0.0, *(count) = 0, (void)0)

#else

#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_REGISTER(name)
#define LIKWID_MARKER_START(name)
#define LIKWID_MARKER_STOP(name)
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_RESET(name)
#define LIKWID_MARKER_GET(name, number_of_events, events, time, count)

#endif

#endif
