! Each procedure has one loop, in one of the ways that Fortran has for it. N elements, one flop each.
module loops
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  interface
    subroutine scale_in_c(a, n) bind(c)
      import :: c_double, c_int
      real(c_double), intent(inout) :: a(*)
      integer(c_int), value :: n
    end subroutine scale_in_c
  end interface
contains

  subroutine with_do(a, n)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: a(-1:)
    integer :: i
    do i = -1, n - 2
      a(i) = a(i) + 1
    end do
  end subroutine with_do

  subroutine with_assignment(a)
    real(c_double), intent(inout) :: a(:)
    a = a + 1
  end subroutine with_assignment

  subroutine with_concurrent(a, n)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: a(:)
    integer :: i
    do concurrent (i = 1:n)
      a(i) = a(i) + 1
    end do
  end subroutine with_concurrent

  subroutine with_forall(a, n)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: a(:)
    integer :: i
    forall (i = 1:n) a(i) = a(i) + 1
  end subroutine with_forall

  subroutine with_host(a)
    real(c_double), intent(inout) :: a(:)
    call inside()
  contains
    subroutine inside()
      integer :: i
      do i = 1, size(a)
        a(i) = a(i) + 1
      end do
    end subroutine inside
  end subroutine with_host
end module loops

program main
  use loops
  implicit none
  integer, parameter :: n = 1003
  real(c_double) :: a(n)
  integer :: i
  do i = 1, n
    a(i) = real(i, c_double)
  end do
  call with_do(a, n)
  call with_assignment(a)
  call with_concurrent(a, n)
  call with_forall(a, n)
  call with_host(a)
  call scale_in_c(a, n)
  print '(f0.1)', a(n)
end program main
