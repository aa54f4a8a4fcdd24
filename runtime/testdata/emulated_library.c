/* An instrumented library that programs load and unload. */
#include "runtime/testdata/emulated_module.h"

static struct ridge_module module;

__attribute__((constructor)) static void construct(void) {
  emulate_module(&module, "emulated_library.c", 2, 3, "cos");
  ridge_register_module(&module);
}

/* What the runtime still needs of the descriptor, it has copied. */
__attribute__((destructor)) static void destruct(void) {
  free((void*)module.descriptor);
}

__attribute__((visibility("default"))) void emulated_work(uint64_t amount) {
  struct emulated_frame frame = emulate_enter(&module, 0, (uint64_t)__builtin_frame_address(0));
  emulate_count(&module, frame, 2, amount);
  emulate_leave(frame);
}
