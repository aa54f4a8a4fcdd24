/* Work with a known number of flops, shared by the programs of this folder. */
#ifndef WORK_H
#define WORK_H

/* `used`: the compiler must not know its values, nor move work() over a call. */
__attribute__((used)) static double work_data[64] = {1.5, 2.5, 3.5};

/* 2 n flop. */
__attribute__((noinline)) static double work(long n) {
  double sum = 0.0;
  for (long i = 0; i < n; ++i) sum += 0.5 * work_data[i % 64];
  return sum;
}

#endif
