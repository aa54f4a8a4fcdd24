! A procedure of a module, one within another, and one that is neither.
module heat
  implicit none
contains
  subroutine step(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    integer :: i
    do i = 2, n - 1
      b(i) = 0.5d0*(a(i-1) + a(i+1))
    end do
  end subroutine
  subroutine total(n, a, s)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: s
    s = a(1)
    call halve(s)
  contains
    subroutine halve(x)
      real(8), intent(inout) :: x
      integer :: k
      do k = 1, 10
        x = x*0.5d0 + k
      end do
    end subroutine
  end subroutine
end module
subroutine scale_all(n, c, x)
  integer :: n, i
  real(8) :: c, x(n)
  do i = 1, n
    x(i) = c*x(i)
  end do
end subroutine
