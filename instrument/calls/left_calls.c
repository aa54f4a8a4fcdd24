/* Calls that a program leaves without returning: an error handler that throws, or jumps. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "instrument/calls/call_table.h"

/* The personality of the functions around outermost calls: whoever unwinds the stack asks it what
 * to do when it removes their frames. Nothing is to be run there, so it needs none of the
 * unwinder's functions. */
_Unwind_Reason_Code ridge_call_exception_passes(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class class_of_exception,
                                                struct _Unwind_Exception* exception,
                                                struct _Unwind_Context* context);
_Unwind_Reason_Code ridge_call_exception_passes(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class class_of_exception,
                                                struct _Unwind_Exception* exception,
                                                struct _Unwind_Context* context) {
  (void)version;
  (void)class_of_exception;
  (void)exception;
  (void)context;
  if ((actions & _UA_CLEANUP_PHASE) != 0) {
    ridge_call_left((const void*)UINTPTR_MAX);
  }
  return _URC_CONTINUE_UNWIND;
}

/* ---- longjmp ---- */

/* Where the stack pointer of the C library stands in a jmp_buf on x86-64, in words. */
enum { STACK_POINTER = 6 };

/* glibc keeps it rotated and mixed with a number of the thread (its "pointer guard"). */
static const void* stack_of(const void* environment) {
  uintptr_t stack;
  memcpy(&stack, (const char*)environment + STACK_POINTER * sizeof(stack), sizeof(stack));
#ifdef __GLIBC__
  uintptr_t guard;
  __asm__("mov %%fs:0x30, %0" : "=r"(guard));
  stack = (stack >> 17 | stack << 47) ^ guard;
#endif
  return (const void*)stack;
}

enum jump { LONGJMP, BSD_LONGJMP, SIGLONGJMP, CHECKED_LONGJMP, JUMPS };

/* Null where this C library has none. */
static void* real_jump(enum jump jump) {
  static const char* const names[JUMPS] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
  static void* found[JUMPS];
  void* symbol = __atomic_load_n(&found[jump], __ATOMIC_ACQUIRE);
  if (symbol == NULL) {
    symbol = ridge_call_find(names[jump]);
    __atomic_store_n(&found[jump], symbol, __ATOMIC_RELEASE);
  }
  return symbol;
}

/* Handlers of signals may jump, and may not look symbols up. */
__attribute__((constructor)) static void find_jumps(void) {
  for (int jump = 0; jump < JUMPS; ++jump) {
    real_jump((enum jump)jump);
  }
}

__attribute__((noreturn)) static void leave(enum jump jump, void* environment, int value) {
  void* symbol = real_jump(jump);
  void (*function)(void*, int);
  memcpy(&function, &symbol, sizeof(function)); /* ISO C has no cast for it */
  ridge_call_left(stack_of(environment));
  if (symbol != NULL) {
    function(environment, value);
  }
  abort();
}

/* Their own names would bring the prototypes of the C library along, which differ by its version
 * and by _FORTIFY_SOURCE. */
__attribute__((noreturn, visibility("default"))) void ridge_longjmp(void*, int) __asm__("longjmp");
__attribute__((noreturn, visibility("default"))) void ridge_bsd_longjmp(void*,
                                                                        int) __asm__("_longjmp");
__attribute__((noreturn, visibility("default"))) void ridge_siglongjmp(void*,
                                                                       int) __asm__("siglongjmp");
__attribute__((noreturn, visibility("default"))) void ridge_checked_longjmp(void*, int) __asm__(
    "__longjmp_chk");

void ridge_longjmp(void* environment, int value) {
  leave(LONGJMP, environment, value);
}

void ridge_bsd_longjmp(void* environment, int value) {
  leave(BSD_LONGJMP, environment, value);
}

void ridge_siglongjmp(void* environment, int value) {
  leave(SIGLONGJMP, environment, value);
}

void ridge_checked_longjmp(void* environment, int value) {
  leave(CHECKED_LONGJMP, environment, value);
}
