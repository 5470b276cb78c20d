! Members that are ranks of MPI, by the handles of both its modules.
program test_fortran_ranks
    use poisson3d
    use poisson3d_mpi
    use mpi_f08
    use checks
    use members_laws
    implicit none
    type(poisson3d_communicator) :: group
    integer :: members, worst, stat
    character(200) :: words
    call poisson3d_communicator_mpi(0, group, stat, words)
    call check(stat == poisson3d_stat_usage .and. index(words, "not initialised") > 0, "before MPI_Init")
    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, members)
    call poisson3d_communicator_mpi(MPI_COMM_NULL%MPI_VAL, group, stat, words)
    call check(stat == poisson3d_stat_usage .and. index(words, "MPI_COMM_NULL") > 0, "MPI_COMM_NULL")
    call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, group)
    call test_members(group, members)
    call group%destroy()
    call MPI_Allreduce(failures, worst, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (worst > 0) error stop "some checks failed"
end program
