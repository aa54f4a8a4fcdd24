! kernels NAME SIZE REPEATS: calls one kernel REPEATS times and prints the time of a call and a checksum, as ../main.cpp does.
program main
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use kernels, only: triad, daxpy, dot, jacobi2d, gemm_naive
  implicit none

  character(len=16) :: name
  integer(int64) :: n, repeats

  if (command_argument_count() /= 3) call usage()
  call get_command_argument(1, name)
  n = positive(2)
  repeats = positive(3)
  select case (name)
  case ('triad', 'daxpy', 'dot')
    call on_vectors()
  case ('jacobi2d', 'gemm_naive')
    call on_matrices()
  case default
    call usage()
  end select

contains

  subroutine usage()
    write (error_unit, '(a)') 'usage: kernels NAME SIZE REPEATS', 'NAME is one of: triad daxpy dot jacobi2d gemm_naive'
    stop 2, quiet=.true.
  end subroutine usage

  integer(int64) function positive(position) result(value)
    integer, intent(in) :: position
    character(len=24) :: text
    integer :: status

    call get_command_argument(position, text)
    read (text, *, iostat=status) value
    if (status /= 0) call usage()
    if (value < 1) call usage()
  end function positive

  ! Non-zero, different from element to element, and small enough never to overflow.
  elemental real(real64) function filled(i)
    integer(int64), intent(in) :: i

    filled = 0.5_real64 + real(mod(i - 1, 101_int64), real64) / 101.0_real64
  end function filled

  subroutine on_vectors()
    real(real64), allocatable :: a(:), b(:), c(:)
    real(real64) :: total, seconds(repeats)
    integer(int64) :: i, began

    allocate (a(n), source=filled([(i, i=1, n)]))
    allocate (b, c, source=a)
    total = 0.0_real64
    do i = 1, repeats
      began = ticks()
      select case (name)
      case ('triad')
        call triad(a, b, c, 1.25_real64)
      case ('daxpy')
        call daxpy(0.125_real64, b, a)
      case ('dot')
        total = dot(b, c)
      end select
      seconds(i) = seconds_since(began)
    end do
    if (name /= 'dot') total = sum(a)
    call print_result(seconds, total)
  end subroutine on_vectors

  subroutine on_matrices()
    real(real64), allocatable :: a(:, :), b(:, :), c(:, :)
    real(real64) :: seconds(repeats)
    integer(int64) :: i, began

    allocate (a(n, n), source=reshape(filled([(i, i=1, n * n)]), [n, n]))
    allocate (b, c, source=a)
    do i = 1, repeats
      began = ticks()
      select case (name)
      case ('jacobi2d')
        call jacobi2d(a, c)
      case ('gemm_naive')
        call gemm_naive(a, b, c)
      end select
      seconds(i) = seconds_since(began)
    end do
    call print_result(seconds, sum(c))
  end subroutine on_matrices

  integer(int64) function ticks()
    call system_clock(ticks)
  end function ticks

  real(real64) function seconds_since(began)
    integer(int64), intent(in) :: began
    integer(int64) :: now, rate

    call system_clock(now, rate)
    seconds_since = real(now - began, real64) / real(rate, real64)
  end function seconds_since

  subroutine print_result(seconds, checksum)
    real(real64), intent(in) :: seconds(:), checksum

    print '(a, 1x, i0, a, es9.3, a, i0, a, es19.12)', trim(name), n, ': ', minval(seconds), &
      ' s a call (least of ', size(seconds), '), checksum ', checksum
  end subroutine print_result

end program main
