// The CPUs that this process was started on.
#pragma once

namespace ridge::cli {

/// Undoes what libraries have done to the calling thread's CPUs before main: with OMP_PROC_BIND or
/// GOMP_CPU_AFFINITY in the environment, which are meant for measured programs, the OpenMP runtime
/// that the sparse products use binds us to one CPU, and everything that we start with us. Only for
/// the first thread, and only in the executable.
void restore_initial_affinity();

}  // namespace ridge::cli
