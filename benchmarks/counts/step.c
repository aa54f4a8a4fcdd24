// How often each instruction of a program ran, under ptrace: the truth where valgrind does not know
// the instructions (AVX-512).
//
//     step STOPS OUTPUT PROGRAM [ARGUMENTS...]
//
// The program runs as it does alone, with its standard input, output and error, at addresses that
// are not randomised. Its section .text is followed from one jump, call or return to the next, each
// of which is a breakpoint. While control is elsewhere (C library, OpenMP, loader) all bytes of
// .text are breakpoints, so that no way back is missed: returns, callbacks, exceptions, longjmp.
//
// STOPS has a line `address 0 0` for each instruction of .text behind which not always the next one
// runs (address in the file, hexadecimal), and a line `address lanes k` for each whose active lanes
// are to be counted: how many lanes it has, and the k register that masks them.
// OUTPUT gets lines `ran address executions`, each true of the instructions from there to the next
// such line, and lines `lanes address count`, the active lanes of all executions.
//
// Usual jumps, calls and returns are carried out here, because a single step costs 20 us on a
// virtual machine. A program that makes another thread or process, or that jumps where no stop is,
// ends with an error. Exit status: that of the program, 70 on an error.

#define _GNU_SOURCE
#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  kFailed = 70,
  kBreakpoint = 0xCC,
  kMaskRegisters = 8,
  kMostLanes = 64,
  kStateLeaf = 0xD,     // of CPUID
  kMaskState = 5,       // number of the k registers' part of an XSAVE area
  kStateHeader = 512,   // its header begins with the bits of the parts that are in use
  kStateBytes = 16384,  // more than any CPU has
};

// One element for each byte of .text.
struct code {
  uint64_t address;  // in the file
  uint64_t size;
  uint64_t entry;   // of the program, in the file
  uint8_t* bytes;   // as in the file
  uint8_t* inside;  // with breakpoints at the stops
  uint8_t* outside;
  bool* is_stop;
  uint8_t* lanes;  // 0: nothing to count
  uint8_t* mask_register;
  uint64_t* begins;  // how often a stretch of instructions began here
  uint64_t* ends;    // and ended before here
  uint64_t* active_lanes;
};

struct process {
  pid_t id;
  int memory;
  uint64_t text;  // where .text lies in memory
  size_t masks;   // where the k registers lie in the XSAVE area, 0: the CPU has none
};

_Noreturn static void fail(const char* what, const char* why) {
  fprintf(stderr, "step: %s: %s\n", what, why);
  exit(kFailed);
}

static void* zeros(size_t count, size_t size) {
  void* memory = calloc(count, size);
  if (memory == NULL) {
    fail("memory", strerror(errno));
  }
  return memory;
}

static void read_at(int file, void* target, size_t size, uint64_t offset, const char* name) {
  if (pread(file, target, size, (off_t)offset) != (ssize_t)size) {
    fail(name, "cannot be read");
  }
}

static Elf64_Shdr text_section(int file, const Elf64_Ehdr* header, const char* name) {
  Elf64_Shdr names;
  const uint64_t first = header->e_shoff;
  read_at(file, &names, sizeof names, first + header->e_shstrndx * sizeof names, name);
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    Elf64_Shdr section;
    char text[sizeof ".text"] = {0};
    read_at(file, &section, sizeof section, first + i * sizeof section, name);
    if (section.sh_name + sizeof text <= names.sh_size) {
      read_at(file, text, sizeof text, names.sh_offset + section.sh_name, name);
      if (memcmp(text, ".text", sizeof text) == 0) {
        return section;
      }
    }
  }
  fail(name, "has no section .text");
}

static struct code read_program(const char* name) {
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  Elf64_Ehdr header;
  read_at(file, &header, sizeof header, 0, name);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_X86_64) {
    fail(name, "is no ELF file for x86-64");
  }
  const Elf64_Shdr section = text_section(file, &header, name);
  const uint64_t size = section.sh_size;
  struct code code = {.address = section.sh_addr, .size = size, .entry = header.e_entry};
  code.bytes = zeros(size, 1);
  code.inside = zeros(size, 1);
  code.outside = zeros(size, 1);
  code.is_stop = zeros(size, sizeof *code.is_stop);
  code.lanes = zeros(size, 1);
  code.mask_register = zeros(size, 1);
  code.begins = zeros(size + 1, sizeof *code.begins);
  code.ends = zeros(size + 1, sizeof *code.ends);
  code.active_lanes = zeros(size, sizeof *code.active_lanes);
  read_at(file, code.bytes, size, section.sh_offset, name);
  memcpy(code.inside, code.bytes, size);
  memset(code.outside, kBreakpoint, size);
  close(file);
  return code;
}

static void read_stops(struct code* code, const char* name) {
  FILE* file = fopen(name, "re");
  if (file == NULL) {
    fail(name, strerror(errno));
  }
  unsigned long address = 0;
  unsigned lanes = 0;
  unsigned mask_register = 0;
  int found = 0;
  while ((found = fscanf(file, "%lx %u %u", &address, &lanes, &mask_register)) == 3) {
    const uint64_t at = address - code->address;
    if (at >= code->size || lanes > kMostLanes || mask_register >= kMaskRegisters) {
      fail(name, "names what is no instruction of .text");
    }
    code->inside[at] = kBreakpoint;
    code->is_stop[at] = true;
    code->lanes[at] = (uint8_t)lanes;
    code->mask_register[at] = (uint8_t)mask_register;
  }
  if (found != EOF) {
    fail(name, "wants lines of address, lanes and mask register");
  }
  fclose(file);
}

_Noreturn static void run_traced(char** command) {
  if (personality(ADDR_NO_RANDOMIZE) < 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0) {
    fail("ptrace", strerror(errno));
  }
  execv(command[0], command);
  fail(command[0], strerror(errno));
}

static uint64_t loaded_entry(pid_t id) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/auxv", (int)id);
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  Elf64_auxv_t value;
  while (read(file, &value, sizeof value) == (ssize_t)sizeof value) {
    if (value.a_type == AT_ENTRY) {
      close(file);
      return value.a_un.a_val;
    }
  }
  fail(name, "does not say where the program begins");
}

// Of the format in which the kernel hands out XSAVE areas, the standard one.
static size_t offset_of_masks(void) {
  unsigned size = 0;
  unsigned offset = 0;
  unsigned unused = 0;
  const int known = __get_cpuid_count(kStateLeaf, kMaskState, &size, &offset, &unused, &unused);
  return known && size >= kMaskRegisters * sizeof(uint64_t) ? offset : 0;
}

static struct process start(const struct code* code, char** command) {
  const pid_t id = fork();
  if (id == 0) {
    run_traced(command);
  }
  int status = 0;
  if (id < 0 || waitpid(id, &status, 0) != id || !WIFSTOPPED(status)) {
    fail(command[0], "did not start under ptrace");
  }
  const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                       PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SETOPTIONS, id, NULL, options) < 0) {
    fail("ptrace", strerror(errno));
  }
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/mem", (int)id);
  const int memory = open(name, O_RDWR | O_CLOEXEC);
  if (memory < 0) {
    fail(name, strerror(errno));
  }
  const uint64_t moved_by = loaded_entry(id) - code->entry;
  return (struct process){id, memory, moved_by + code->address, offset_of_masks()};
}

static void write_memory(const struct process* process, const void* bytes, uint64_t size,
                         uint64_t address) {
  if (pwrite(process->memory, bytes, size, (off_t)address) != (ssize_t)size) {
    fail("memory of the program", strerror(errno));
  }
}

// Runs on to the next stop. Returns the signal that stopped it, 0 for a step or a breakpoint, -1
// when the program ended.
static int resume(const struct process* process, int request, int signal, int* status) {
  if (ptrace(request, process->id, NULL, (long)signal) < 0 ||
      waitpid(process->id, status, 0) != process->id) {
    fail("ptrace", strerror(errno));
  }
  if (!WIFSTOPPED(*status)) {
    return -1;
  }
  if (*status >> 16 != 0) {
    fail("the program", "made another thread or process, which nobody follows");
  }
  return WSTOPSIG(*status) == SIGTRAP ? 0 : WSTOPSIG(*status);
}

static struct user_regs_struct registers_of(const struct process* process) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, process->id, NULL, &registers) < 0) {
    fail("registers", strerror(errno));
  }
  return registers;
}

static void set_register(const struct process* process, size_t offset, uint64_t value) {
  if (ptrace(PTRACE_POKEUSER, process->id, offset, value) < 0) {
    fail("registers", strerror(errno));
  }
}

static void go_to(const struct process* process, uint64_t at) {
  set_register(process, offsetof(struct user, regs.rip), process->text + at);
}

static unsigned active_lanes(const struct code* code, const struct process* process, uint64_t at) {
  static uint8_t state[kStateBytes];
  struct iovec area = {state, sizeof state};
  if (process->masks == 0 || ptrace(PTRACE_GETREGSET, process->id, NT_X86_XSTATE, &area) < 0 ||
      area.iov_len < process->masks + kMaskRegisters * sizeof(uint64_t)) {
    fail("mask registers", "cannot be read");
  }
  uint64_t in_use = 0;
  uint64_t mask = 0;
  memcpy(&in_use, state + kStateHeader, sizeof in_use);
  memcpy(&mask, state + process->masks + code->mask_register[at] * sizeof mask, sizeof mask);
  if ((in_use >> kMaskState & 1) == 0) {
    return 0;  // all masks are zero
  }
  return (unsigned)__builtin_popcountll(mask & (~UINT64_C(0) >> (kMostLanes - code->lanes[at])));
}

// Of a conditional jump. Bit 0 of the condition negates it (Intel's manual, volume 1, appendix B).
static bool holds(unsigned condition, uint64_t flags) {
  const bool carry = flags & 1;
  const bool parity = flags >> 2 & 1;
  const bool zero = flags >> 6 & 1;
  const bool sign = flags >> 7 & 1;
  const bool overflow = flags >> 11 & 1;
  const bool of_pair[] = {overflow,
                          carry,
                          zero,
                          carry || zero,
                          sign,
                          parity,
                          sign != overflow,
                          zero || sign != overflow};
  return of_pair[condition >> 1 & 7] != (condition & 1);
}

// Where a jump leads whose displacement of 1 or 4 `bytes` is its end, before `next`.
static uint64_t relative(const struct code* code, uint64_t next, unsigned bytes) {
  int32_t distance = (int8_t)code->bytes[next - 1];
  if (bytes != 1) {
    memcpy(&distance, code->bytes + next - bytes, sizeof distance);
  }
  return next + (uint64_t)(int64_t)distance;
}

static uint64_t call(const struct code* code, const struct process* process, uint64_t at,
                     uint64_t stack) {
  const uint64_t back = process->text + at + 5;
  write_memory(process, &back, sizeof back, stack - sizeof back);
  set_register(process, offsetof(struct user, regs.rsp), stack - sizeof back);
  return relative(code, at + 5, 4);
}

static uint64_t return_from(const struct process* process, uint64_t stack) {
  uint64_t back = 0;
  read_at(process->memory, &back, sizeof back, stack, "stack of the program");
  set_register(process, offsetof(struct user, regs.rsp), stack + sizeof back);
  return back - process->text;
}

// A jump, call or return whose encoding is known here; false: it is another instruction. *at: where
// it is, and then where it leads.
static bool carry_out(const struct code* code, const struct process* process, uint64_t* at) {
  const uint8_t* byte = code->bytes + *at;
  const struct user_regs_struct registers = registers_of(process);
  if (byte[0] >> 4 == 0x7) {
    *at = holds(byte[0], registers.eflags) ? relative(code, *at + 2, 1) : *at + 2;
  } else if (byte[0] == 0x0F && byte[1] >> 4 == 0x8) {
    *at = holds(byte[1], registers.eflags) ? relative(code, *at + 6, 4) : *at + 6;
  } else if (byte[0] == 0xEB) {
    *at = relative(code, *at + 2, 1);
  } else if (byte[0] == 0xE9) {
    *at = relative(code, *at + 5, 4);
  } else if (byte[0] == 0xE8) {
    *at = call(code, process, *at, registers.rsp);
  } else if (byte[0] == 0xC3) {
    *at = return_from(process, registers.rsp);
  } else {
    return false;
  }
  go_to(process, *at);
  return true;
}

// Of the instruction at a breakpoint, which runs by itself. *at: where it is, and then where
// control is. Returns the signal as resume() does.
static int step_over(struct code* code, const struct process* process, uint64_t* at, int* status) {
  const uint64_t before = *at;
  const unsigned lanes = code->lanes[before] != 0 ? active_lanes(code, process, before) : 0;
  write_memory(process, code->bytes + before, 1, process->text + before);
  go_to(process, before);
  const int signal = resume(process, PTRACE_SINGLESTEP, 0, status);
  if (signal < 0) {
    return signal;
  }
  write_memory(process, code->inside + before, 1, process->text + before);
  *at = registers_of(process).rip - process->text;
  if (signal == 0) {
    code->active_lanes[before] += lanes;
  } else if (*at == before) {  // the signal came first
    ++code->ends[before];
    --code->ends[before + 1];
  }
  return signal;
}

// Runs from `at`, which is no breakpoint, to the next one. Returns the signal as resume() does.
static int run_to_stop(struct code* code, const struct process* process, uint64_t* at,
                       int* status) {
  const bool* expected = memchr(code->is_stop + *at, true, code->size - *at);
  const int signal = resume(process, PTRACE_CONT, 0, status);
  if (signal < 0) {
    return signal;
  }
  *at = registers_of(process).rip - process->text - (signal == 0 ? 1 : 0);
  if (signal == 0 && (expected == NULL || code->is_stop + *at != expected)) {
    fprintf(stderr, "at %lx, ", code->address + *at);
    fail("the program", "came there without a jump that is among the stops");
  }
  return signal;
}

// From `at`, where control came into .text, until it leaves or a signal comes. Returns the signal
// as resume() does.
static int follow(struct code* code, const struct process* process, uint64_t at, int* status) {
  write_memory(process, code->inside, code->size, process->text);
  int signal = 0;
  while (signal == 0 && at < code->size) {
    ++code->begins[at];
    signal = code->is_stop[at] ? 0 : run_to_stop(code, process, &at, status);
    if (signal > 0) {
      ++code->ends[at];
    } else if (signal == 0) {
      ++code->ends[at + 1];
      const bool is_done = code->lanes[at] == 0 && carry_out(code, process, &at);
      signal = is_done ? 0 : step_over(code, process, &at, status);
    }
  }
  if (signal >= 0) {
    write_memory(process, code->outside, code->size, process->text);
  }
  return signal;
}

static int run(struct code* code, const struct process* process) {
  int status = 0;
  int signal = 0;
  write_memory(process, code->outside, code->size, process->text);
  while (signal >= 0 && (signal = resume(process, PTRACE_CONT, signal, &status)) >= 0) {
    const uint64_t at = registers_of(process).rip - process->text - 1;
    if (signal == 0 && at < code->size) {
      go_to(process, at);
      signal = follow(code, process, at, &status);
    }
  }
  if (WIFSIGNALED(status)) {
    fail("the program", strsignal(WTERMSIG(status)));
  }
  return WEXITSTATUS(status);
}

static void write_counts(const struct code* code, const char* name) {
  FILE* file = fopen(name, "we");
  if (file == NULL) {
    fail(name, strerror(errno));
  }
  uint64_t executions = 0;
  for (uint64_t at = 0; at < code->size; ++at) {
    if (code->begins[at] != code->ends[at]) {
      executions += code->begins[at] - code->ends[at];
      fprintf(file, "ran %lx %lu\n", code->address + at, executions);
    }
    if (code->lanes[at] != 0) {
      fprintf(file, "lanes %lx %lu\n", code->address + at, code->active_lanes[at]);
    }
  }
  if (fclose(file) != 0) {
    fail(name, strerror(errno));
  }
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fail("usage", "step STOPS OUTPUT PROGRAM [ARGUMENTS...]");
  }
  struct code code = read_program(argv[3]);
  read_stops(&code, argv[1]);
  const struct process process = start(&code, argv + 3);
  const int status = run(&code, &process);
  write_counts(&code, argv[2]);
  return status;
}
