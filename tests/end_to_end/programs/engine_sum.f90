! For engines that run programs as they are: each number of 1 to 1000 once, by two threads.
program engine_sum
  implicit none
  real(8) :: total, factor
  integer :: i
  factor = 1.0d0
  total = 0.0d0
  if (command_argument_count() > 0) factor = 2.0d0
  !$omp parallel do reduction(+:total) schedule(static)
  do i = 1, 1000
    total = total + factor * i
  end do
  !$omp end parallel do
  print '(i0)', nint(total)
end program
