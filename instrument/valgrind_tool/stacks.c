/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See stacks.h. */
#include "instrument/valgrind_tool/stacks.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_guest.h>
#include <pub_tool_machine.h>
#include <stddef.h>

#include "instrument/engine/record_writer.h"
#include "instrument/valgrind_tool/trace.h"

enum { MOST_SAMPLES = 512, MOST_WORDS = 5120, FIRST_INTERVAL = 100000 };

struct sample {
  struct ridge_record_stack head;
  ULong words[];
};

struct samples {
  struct sample* all[MOST_SAMPLES]; /* in the order of time */
  UInt count;
  UInt seed;
  ULong interval; /* blocks for which each sample stands */
  ULong begin;    /* of the interval whose sample comes next */
  ULong due;      /* within it */
};

static struct samples samples = {.interval = FIRST_INTERVAL};

/* Which moment of an interval is taken, and which of two samples is kept, is drawn, with the same
 * outcome in each run: fixed steps would see only one of two threads that take turns, or always the
 * same part of a loop. */
static ULong drawn_below(ULong limit) {
  const ULong draw = VG_(random)(&samples.seed) >> 16; /* low bits of this generator repeat soon */
  return (limit * draw) >> 16;
}

/* One of each two neighbours stays. */
static void thin_out(void) {
  for (UInt i = 0; i < MOST_SAMPLES / 2; ++i) {
    const UInt kept = (UInt)drawn_below(2);
    VG_(free)(samples.all[2 * i + 1 - kept]);
    samples.all[i] = samples.all[2 * i + kept];
  }
  samples.count = MOST_SAMPLES / 2;
  samples.interval *= 2;
}

/* Words that can be read from there upwards. */
static UInt readable_words(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  /* Of a mapped file a part may be missing. */
  if (segment == NULL || segment->kind != SkAnonC || !segment->hasR) {
    return 0;
  }
  const ULong words = (segment->end + 1 - address) / sizeof(ULong);
  return words < MOST_WORDS ? (UInt)words : (UInt)MOST_WORDS;
}

static void read_registers(ThreadId tid, uint64_t* registers) {
  static const size_t places[RIDGE_STACK_REGISTERS] = {
      offsetof(VexGuestAMD64State, guest_RAX), offsetof(VexGuestAMD64State, guest_RDX),
      offsetof(VexGuestAMD64State, guest_RCX), offsetof(VexGuestAMD64State, guest_RBX),
      offsetof(VexGuestAMD64State, guest_RSI), offsetof(VexGuestAMD64State, guest_RDI),
      offsetof(VexGuestAMD64State, guest_RBP), offsetof(VexGuestAMD64State, guest_RSP),
      offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9),
      offsetof(VexGuestAMD64State, guest_R10), offsetof(VexGuestAMD64State, guest_R11),
      offsetof(VexGuestAMD64State, guest_R12), offsetof(VexGuestAMD64State, guest_R13),
      offsetof(VexGuestAMD64State, guest_R14), offsetof(VexGuestAMD64State, guest_R15),
      offsetof(VexGuestAMD64State, guest_RIP)};
  for (UInt i = 0; i < RIDGE_STACK_REGISTERS; ++i) {
    VG_(get_shadow_regs_area)
    (tid, (UChar*)&registers[i], 0, (PtrdiffT)places[i], sizeof(registers[i]));
  }
}

static struct sample* take_sample(ThreadId tid, UInt ordinal) {
  const Addr stack = VG_(get_SP)(tid);
  const UInt words = readable_words(stack);
  struct sample* sample = VG_(malloc)("ridge.stack", sizeof(*sample) + words * sizeof(ULong));
  sample->head = (struct ridge_record_stack){.thread = ordinal, .word_count = words};
  read_registers(tid, sample->head.registers);
  VG_(memcpy)(sample->words, ridge_bytes_at(stack), words * sizeof(ULong));
  return sample;
}

/* Whether it stopped because its turn was over. Other stops are where the program does something of
 * its own, as system calls: what it does there would get more than its share of samples. */
static Bool turn_is_over(ThreadId tid) {
  UInt left = 0;
  VG_(get_shadow_regs_area)
  (tid, (UChar*)&left, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof(left));
  return (Int)left < 0;
}

static void go_to_next_interval(ULong blocks) {
  samples.begin += samples.interval;
  if (samples.begin + samples.interval <= blocks) {
    samples.begin = blocks; /* nothing could be seen in between */
  }
  samples.due = samples.begin + 1 + drawn_below(samples.interval);
}

void ridge_look_at_stack(ThreadId tid, UInt ordinal, ULong blocks) {
  if (blocks < samples.due || ridge_traffic != NULL || ridge_record_prefix == NULL ||
      !turn_is_over(tid)) {
    return;
  }
  if (samples.count == MOST_SAMPLES) {
    thin_out();
  }
  samples.all[samples.count++] = take_sample(tid, ordinal);
  go_to_next_interval(blocks);
}

void ridge_forget_stacks(void) {
  for (UInt i = 0; i < samples.count; ++i) {
    VG_(free)(samples.all[i]);
  }
  samples = (struct samples){.interval = FIRST_INTERVAL};
}

void ridge_write_stacks(struct engine_writer* writer) {
  for (UInt i = 0; i < samples.count; ++i) {
    const struct sample* sample = samples.all[i];
    engine_record_chunk(writer, RIDGE_RECORD_STACK, &sample->head, sizeof(sample->head),
                        sample->words, sample->head.word_count * sizeof(ULong));
  }
}
