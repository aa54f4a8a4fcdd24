/* What BOLT links into a program that it instruments, in place of its own library: the counters lie
 * in a file from the start, and nothing happens at the end. BOLT's own library writes a profile
 * when the program comes to its end by itself, and not otherwise.
 *
 * BOLT looks up the functions by name, defines the variables, and links this one object by itself:
 * there is no C library, no thread-local memory and no .bss here. It is entered before the dynamic
 * linker has prepared the program, so it must not use vector registers or the red zone of others.
 */
#include <stdint.h>

#include "abi/bolt_counters.h"

#if !defined(__x86_64__)
#error "system calls and entry are those of x86-64"
#endif

#define BY_BOLT extern __attribute__((visibility("hidden")))
/* The names are BOLT's. NOLINTBEGIN(bugprone-reserved-identifier) */
BY_BOLT uint64_t __bolt_instr_locations[]; /* on a page of its own */
BY_BOLT uint32_t __bolt_num_counters;
BY_BOLT char __bolt_instr_filename[];
/* NOLINTEND(bugprone-reserved-identifier) */

enum {
  OPEN = 2,
  CLOSE = 3,
  MMAP = 9,
  GETPID = 39,
  FTRUNCATE = 77,
  GETPPID = 110,
  READ = 0,
  PWRITE = 18
};
enum { READ_ONLY = 0, READ_WRITE = 2, CREATE = 0100, EXCLUSIVE = 0200, CLOSE_ON_EXEC = 02000000 };
enum { READABLE = 1, WRITABLE = 2, SHARED = 1, FIXED = 16 };
enum { FILE_EXISTS = -17, PATH_MAX_BYTES = 4096, IMAGES = 10000 };

static long system_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
}

static char* append_number(char* at, uint64_t number) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  *at++ = '.';
  while (count > 0) {
    *at++ = digits[--count];
  }
  return at;
}

/* NAME.PID.IMAGE: a process that executes itself again has its number once more. */
static long create_file(uint64_t pid) {
  char path[PATH_MAX_BYTES + 64];
  char* end = path;
  for (int i = 0; __bolt_instr_filename[i] != '\0'; ++i) {
    if (i == PATH_MAX_BYTES) {
      return -1;
    }
    *end++ = __bolt_instr_filename[i];
  }
  end = append_number(end, pid);
  for (uint64_t image = 0; image < IMAGES; ++image) {
    *append_number(end, image) = '\0';
    const long file = system_call(OPEN, (long)path, READ_WRITE | CREATE | EXCLUSIVE | CLOSE_ON_EXEC,
                                  0600, 0, 0, 0);
    if (file != FILE_EXISTS) {
      return file;
    }
  }
  return -1;
}

static void copy_arguments(long file, uint64_t offset) {
  const long from =
      system_call(OPEN, (long)"/proc/self/cmdline", READ_ONLY | CLOSE_ON_EXEC, 0, 0, 0, 0);
  if (from < 0) {
    return;
  }
  char part[1024];
  long got;
  while ((got = system_call(READ, from, (long)part, sizeof part, 0, 0, 0)) > 0) {
    system_call(PWRITE, file, (long)part, got, (long)offset, 0, 0);
    offset += (uint64_t)got;
  }
  system_call(CLOSE, from, 0, 0, 0, 0, 0);
}

/* What fails here leaves no file, or one without counters that are there: the reader says so. */
__attribute__((used, visibility("hidden"))) void ridge_bolt_begin(void) {
  const uint64_t page = RIDGE_BOLT_PAGE;
  const uint64_t bytes = (__bolt_num_counters * sizeof(uint64_t) + page - 1) / page * page;
  const uint64_t pid = (uint64_t)system_call(GETPID, 0, 0, 0, 0, 0, 0);
  const long file = create_file(pid);
  if (file < 0) {
    return;
  }
  if (system_call(FTRUNCATE, file, (long)(page + bytes), 0, 0, 0, 0) == 0 && bytes != 0 &&
      system_call(MMAP, (long)__bolt_instr_locations, (long)bytes, READABLE | WRITABLE,
                  SHARED | FIXED, file, (long)page) == (long)__bolt_instr_locations) {
    const struct ridge_bolt_header header = {
        RIDGE_BOLT_MAGIC,    RIDGE_BOLT_VERSION,
        (uint32_t)pid,       (uint32_t)system_call(GETPPID, 0, 0, 0, 0, 0, 0),
        __bolt_num_counters, page + bytes,
    };
    copy_arguments(file, header.arguments);
    system_call(PWRITE, file, (long)&header, sizeof header, 0, 0, 0);
  }
  system_call(CLOSE, file, 0, 0, 0, 0, 0);
}

/* The entry of the program: all registers are as the kernel or the dynamic linker left them. */
__asm__(
    ".text\n"
    ".globl __bolt_instr_start\n"
    ".type __bolt_instr_start, @function\n"
    "__bolt_instr_start:\n"
    "  push %rax\n  push %rbx\n  push %rcx\n  push %rdx\n  push %rsi\n  push %rdi\n"
    "  push %r8\n  push %r9\n  push %r10\n  push %r11\n"
    "  mov %rsp, %rbx\n"
    "  and $-16, %rsp\n"
    "  call ridge_bolt_begin\n"
    "  mov %rbx, %rsp\n"
    "  pop %r11\n  pop %r10\n  pop %r9\n  pop %r8\n"
    "  pop %rdi\n  pop %rsi\n  pop %rdx\n  pop %rcx\n  pop %rbx\n  pop %rax\n"
    "  jmp __bolt_start_trampoline\n"
    ".globl __bolt_instr_fini\n"
    ".type __bolt_instr_fini, @function\n"
    "__bolt_instr_fini:\n"
    "  jmp __bolt_fini_trampoline\n"
    ".globl __bolt_instr_clear_counters\n" /* BOLT prints its address */
    ".type __bolt_instr_clear_counters, @function\n"
    "__bolt_instr_clear_counters:\n"
    "  ret\n");
