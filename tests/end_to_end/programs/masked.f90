! What a mask of Fortran makes of a loop: arithmetic under a mask of AVX-512 (avx512_test.py).
module masked
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
contains
  subroutine where_add(x, y)
    real(real64), intent(in) :: x(:)
    real(real64), intent(inout) :: y(:)
    where (x > 1) y = y + x
  end subroutine where_add

  subroutine where_divide(x, y)
    real(real32), intent(in) :: x(:)
    real(real32), intent(inout) :: y(:)
    where (x > 1) y = y / x
  end subroutine where_divide
end module masked

program main
  use masked
  implicit none
  real(real64), allocatable :: x(:), y(:)
  character(20) :: argument
  integer :: i, n
  real(real32), allocatable :: u(:), v(:)

  call get_command_argument(1, argument)
  read (argument, *) n
  allocate (x(n), y(n), u(n), v(n))
  do i = 1, n
    x(i) = merge(1.5_real64, 0.5_real64, mod(i - 1, 5) < 2)
  end do
  u = real(x, real32)
  y = 1
  v = 1
  call where_add(x, y)
  call where_divide(u, v)
  print *, sum(y), sum(v)
end program main
