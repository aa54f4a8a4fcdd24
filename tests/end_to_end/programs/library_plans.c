/* Plans of FFTW that a layer sees being made, and others that take their addresses. */
#include <fftw3.h>
#include <stdlib.h>

enum { MANY = 6000, TURNS = 20 };

static fftw_complex* in;
static fftw_complex* out;

static fftw_plan line(int size) {
  return fftw_plan_dft_1d(size, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
}

static void execute_and_destroy(fftw_plan plan) {
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/* 16, 32 ... 32768, four times, then as many by planners that no layer knows. */
static void take_addresses(void) {
  for (int turn = 0; turn < 4; ++turn) {
    for (int size = 16; size <= 32768; size *= 2) {
      execute_and_destroy(line(size));
    }
  }
  for (int turn = 0; turn < TURNS; ++turn) {
    const int size = 16 << turn % 4;
    const fftw_iodim shape = {size, 1, 1};
    execute_and_destroy(
        turn % 2 == 0
            ? fftw_plan_guru_dft(1, &shape, 0, NULL, in, out, FFTW_FORWARD, FFTW_ESTIMATE)
            : fftw_plan_r2r_1d(size, (double*)in, (double*)out, FFTW_R2HC, FFTW_ESTIMATE));
  }
}

/* More plans than any table of a layer holds, then one at an address of its own. */
static void fill_tables(void) {
  static fftw_plan plans[MANY];
  static void* rooms[MANY];
  for (int i = 0; i < MANY; ++i) {
    plans[i] = line(8);
  }
  for (int i = 0; i < MANY; ++i) {
    fftw_destroy_plan(plans[i]);
  }
  for (int i = 0; i < MANY; ++i) { /* takes the room of the old plans */
    rooms[i] = malloc(4000);
  }
  for (int i = 0; i < TURNS; ++i) {
    plans[i] = line(12);
    fftw_execute(plans[i]);
  }
  for (int i = 0; i < MANY; ++i) {
    free(rooms[i]);
  }
}

int main(void) {
  in = fftw_malloc(sizeof(fftw_complex) * 32768);
  out = fftw_malloc(sizeof(fftw_complex) * 32768);
  for (int i = 0; i < 32768; ++i) {
    in[i][0] = i % 7;
    in[i][1] = 0.0;
  }
  take_addresses();
  fill_tables();
  fftw_cleanup();
  return 0;
}
