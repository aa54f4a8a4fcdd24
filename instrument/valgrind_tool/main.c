/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `valgrind --tool=ridge`: counts how often each instruction of a program is executed, by thread,
 * and with a plan simulates the caches. It writes a record (abi/record.h) when the process ends or
 * becomes another program, and prints nothing. */
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "instrument/valgrind_tool/code.h"
#include "instrument/valgrind_tool/stacks.h"
#include "instrument/valgrind_tool/trace.h"

static const HChar* plan_path;
static const HChar* record_before_exec; /* of the process that becomes another program */

static Bool take_option(const HChar* argument) {
  const HChar* text = NULL;
  if VG_STR_CLO (argument, "--record", text) {
    if (text[0] != '/') { /* the program may change its folder */
      VG_(fmsg_bad_option)(argument, "The prefix of the record is no absolute path.\n");
    }
    ridge_record_prefix = text;
    return True;
  }
  if VG_STR_CLO (argument, "--plan", text) {
    plan_path = text;
    return True;
  }
  return False;
}

static void print_usage(void) {
  VG_(printf)(
      "    --record=PREFIX   write what was executed into PREFIX.PID.N\n"
      "    --plan=FILE       simulate the traffic of the regions of a plan\n");
}

static void print_debug_usage(void) {}

static void in_child(ThreadId tid) {
  ridge_process_forked = True;
  ridge_code.ran_into = RIDGE_NONE;
  ridge_keep_one_thread(tid);
  ridge_forget_stacks();
  ridge_restart_trace();
}

/* What ran is written before the program is gone ... */
static void before_call(ThreadId tid, UInt number, UWord* arguments, UInt count) {
  (void)tid;
  (void)arguments;
  (void)count;
  ridge_wait_with_trace();
  if (number == __NR_execve || number == __NR_execveat) {
    ridge_process_execs = True;
    record_before_exec = ridge_write_record();
    ridge_process_execs = False;
  }
}

/* ... and that it has gone on after all. */
static void after_call(ThreadId tid, UInt number, UWord* arguments, UInt count, SysRes result) {
  (void)tid;
  (void)arguments;
  (void)count;
  (void)result;
  if ((number == __NR_execve || number == __NR_execveat) && record_before_exec != NULL) {
    VG_(unlink)(record_before_exec);
    record_before_exec = NULL;
  }
}

/* A program that handles SIGILL does not end with it. */
static void before_signal(ThreadId tid, Int number, Bool alternative_stack) {
  (void)tid;
  (void)alternative_stack;
  if (number == VKI_SIGILL) {
    ridge_code.ran_into = RIDGE_NONE;
  }
}

static void end(Int exit_code) {
  (void)exit_code;
  ridge_write_record();
}

static void begin(void) {
  ridge_init_trace(plan_path);
  VG_(atfork)(NULL, NULL, in_child);
}

static void describe(void) {
  VG_(details_name)("ridge");
  VG_(details_version)(NULL);
  VG_(details_description)("the executions of each instruction and the traffic of caches");
  VG_(details_copyright_author)("Copyright (C) 2026, the Ridge authors, under GPL-2.0-or-later.");
  VG_(details_bug_reports_to)("the Ridge authors");
  VG_(details_avg_translation_sizeB)(350);
  VG_(basic_tool_funcs)(begin, ridge_instrument, end);
  VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
  VG_(needs_syscall_wrapper)(before_call, after_call);
  VG_(track_pre_deliver_signal)(before_signal);
  ridge_init_threads();
}

VG_DETERMINE_INTERFACE_VERSION(describe)

/* Reading DWARF 5 of newer compilers, the core stops with an error. Lines are read from the files
 * later, and nothing here needs them. */
/* NOLINTBEGIN(bugprone-reserved-identifier): a name that the linker wants */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void) {}
/* NOLINTEND(bugprone-reserved-identifier) */
