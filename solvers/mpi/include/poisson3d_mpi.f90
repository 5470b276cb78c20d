! poisson3d for Fortran with MPI: members that are ranks. Compiled after poisson3d.f90 with the program that uses it;
! links the library poisson3d_mpi as well.
!
!   call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, members)    ! mpi_f08; with module mpi the handle itself
!   call solver%create(members, problem)
!
! Ranks with a GPU each, fields in its memory:
!
!   device = poisson3d_device_of_rank(MPI_COMM_WORLD%MPI_VAL)
!   call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, members, device=device)
module poisson3d_mpi
    use, intrinsic :: iso_c_binding, only: c_int, c_ptr
    use poisson3d, only: poisson3d_communicator
    implicit none
    private
    public :: poisson3d_communicator_mpi, poisson3d_device_of_rank

    interface
        function c_communicator_mpi(ranks, communicator) result(status) bind(C, name="poisson3d_communicator_mpi_fortran")
            import :: c_int, c_ptr
            integer(c_int), value :: ranks
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function
        function c_communicator_mpi_device(ranks, device, communicator) result(status) &
                bind(C, name="poisson3d_communicator_mpi_device_fortran")
            import :: c_int, c_ptr
            integer(c_int), value :: ranks, device
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function
        function c_device_of_rank(ranks, device) result(status) bind(C, name="poisson3d_mpi_device_of_rank_fortran")
            import :: c_int
            integer(c_int), value :: ranks
            integer(c_int), intent(out) :: device
            integer(c_int) :: status
        end function
    end interface
contains
    ! A member for each rank of `ranks`, in their order. A call of all ranks, as is destroying the last object that uses
    ! the communicator. device: of each rank its GPU, numbered from 0. stat:
    ! poisson3d_stat_usage if MPI is not initialised or the handle is that of MPI_COMM_NULL.
    recursive subroutine poisson3d_communicator_mpi(ranks, communicator, stat, errmsg, device)
        integer, intent(in) :: ranks
        type(poisson3d_communicator), intent(inout) :: communicator
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer, intent(in), optional :: device
        type(c_ptr) :: handle
        integer :: status
        if (present(device)) then
            status = c_communicator_mpi_device(int(ranks, c_int), int(device, c_int), handle)
        else
            status = c_communicator_mpi(int(ranks, c_int), handle)
        end if
        call communicator%take(handle, status, stat, errmsg, on_devices=present(device))
    end subroutine

    ! A GPU for this rank: those of a host take the ones that they see in turn. -1 where there is none, or before
    ! MPI_Init. A call of all ranks.
    recursive integer function poisson3d_device_of_rank(ranks) result(device)
        integer, intent(in) :: ranks
        integer(c_int) :: found
        device = -1
        if (c_device_of_rank(int(ranks, c_int), found) == 0) device = found
    end function
end module
