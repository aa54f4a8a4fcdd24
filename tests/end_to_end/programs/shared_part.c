#include "work.h"

double shared_part(long n) {
  return work(n);
}
