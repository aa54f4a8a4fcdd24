/* What the launcher of a parallel program says of a process in its environment. */
#ifndef RIDGE_ENGINE_LAUNCHED_H
#define RIDGE_ENGINE_LAUNCHED_H

#include <stdint.h>

/* Keeps of `environment` (NAME=VALUE, each ended by NUL, as /proc/self/environ) what belongs into
 * RIDGE_RECORD_LAUNCHED, and moves it to the front. How many bytes that are. */
uint64_t engine_keep_launched(char* environment, uint64_t bytes);

#endif
