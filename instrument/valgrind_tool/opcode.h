/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the bytes of an instruction say that VEX does not pass on. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_OPCODE_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_OPCODE_H

#include "instrument/valgrind_tool/tool.h"

/* A string instruction that repeats itself: VEX lets it jump to itself for each turn. */
Bool ridge_is_repeated(const UChar* code, UInt bytes);
/* A store that goes past the caches. */
Bool ridge_is_non_temporal(const UChar* code, UInt bytes);
/* No program expects more of it than to be stopped: ud0, ud1, ud2. */
Bool ridge_is_undefined(const UChar* code, UInt bytes);

#endif
