! poisson3d for Fortran with MPI: members that are ranks. Compiled after poisson3d.f90 with the program that uses it;
! links the library poisson3d_mpi as well.
!
!   call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, members)    ! mpi_f08; with module mpi the handle itself
!   call solver%create(members, problem)
module poisson3d_mpi
    use, intrinsic :: iso_c_binding, only: c_int, c_ptr
    use poisson3d, only: poisson3d_communicator
    implicit none
    private
    public :: poisson3d_communicator_mpi

    interface
        function c_communicator_mpi(ranks, communicator) result(status) bind(C, name="poisson3d_communicator_mpi_fortran")
            import :: c_int, c_ptr
            integer(c_int), value :: ranks
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function
    end interface
contains
    ! A member for each rank of `ranks`, in their order. A call of all ranks, as is destroying the last object that uses
    ! the communicator. stat: poisson3d_stat_usage if MPI is not initialised or the handle is that of MPI_COMM_NULL.
    recursive subroutine poisson3d_communicator_mpi(ranks, communicator, stat, errmsg)
        integer, intent(in) :: ranks
        type(poisson3d_communicator), intent(inout) :: communicator
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: handle
        integer :: status
        status = c_communicator_mpi(int(ranks, c_int), handle)
        call communicator%take(handle, status, stat, errmsg)
    end subroutine
end module
