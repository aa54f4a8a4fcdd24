! Names for what a program does, as `ridge run` shows them: regions of kind `marker`.
!
!   use ridge_marker
!   call ridge_marker_start('assembly')
!   ...
!   call ridge_marker_stop('assembly')
!
! Compile this file with your compiler and link it; nothing else is needed. Blanks at the end of a
! name do not count. The runtime of programs that ridge-fc built is looked for when the first marker
! starts; without it calls do nothing. Guide: docs/guide/markers.md.
module ridge_marker
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, &
                                         c_null_char, c_null_funptr, c_null_ptr, c_ptr
  implicit none
  private
  public :: ridge_marker_start, ridge_marker_stop

  abstract interface
    subroutine named(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine named
  end interface

  interface
    ! Of the C library: a Fortran program cannot refer to what may be missing.
    function look_up(library, symbol) bind(c, name='dlsym') result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: symbol(*)
      type(c_funptr) :: address
    end function look_up
  end interface

  ! Threads that come here first at the same time write the same.
  logical, volatile :: known = .false.
  type(c_funptr) :: begin_address = c_null_funptr
  type(c_funptr) :: end_address = c_null_funptr

contains

  subroutine ridge_marker_start(name)
    character(len=*), intent(in) :: name
    if (.not. known) call find_runtime()
    if (c_associated(begin_address)) call pass_name(begin_address, name)
  end subroutine ridge_marker_start

  subroutine ridge_marker_stop(name)
    character(len=*), intent(in) :: name
    if (.not. known) call find_runtime()
    if (c_associated(end_address)) call pass_name(end_address, name)
  end subroutine ridge_marker_stop

  subroutine pass_name(address, name)
    type(c_funptr), intent(in) :: address
    character(len=*), intent(in) :: name
    procedure(named), pointer :: procedure_of_runtime
    call c_f_procpointer(address, procedure_of_runtime)
    call procedure_of_runtime(trim(name)//c_null_char)
  end subroutine pass_name

  subroutine find_runtime()
    begin_address = look_up(c_null_ptr, 'ridge_marker_begin'//c_null_char)
    end_address = look_up(c_null_ptr, 'ridge_marker_end'//c_null_char)
    known = .true.
  end subroutine find_runtime

end module ridge_marker
