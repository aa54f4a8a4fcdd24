/* 2 n flop behind dlopen. */
#include "work.h"

double plugin_work(long n) {
  return work(n);
}
