! Members that are ranks of MPI, by the handles of both its modules.
program test_fortran_ranks
    use poisson3d
    use poisson3d_mpi
    use mpi_f08
    use checks
    use members_laws
    use, intrinsic :: iso_fortran_env, only: int64
    implicit none
    type(poisson3d_communicator) :: group
    integer :: members, rank, layer, worst, stat
    integer(int64) :: box_first(3), box_points(3)
    character(200) :: words
    call poisson3d_communicator_mpi(0, group, stat, words)
    call check(stat == poisson3d_stat_usage .and. index(words, "not initialised") > 0, "before MPI_Init")
    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, members)
    call poisson3d_communicator_mpi(MPI_COMM_NULL%MPI_VAL, group, stat, words)
    call check(stat == poisson3d_stat_usage .and. index(words, "MPI_COMM_NULL") > 0, "MPI_COMM_NULL")
    call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, group)
    call test_members(group, members)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call test_refusals_of_one(group, rank == members - 1)
    ! Layers of the first index, from the last rank to the first one; the last rank has none if there are more than 6.
    layer = members - 1 - rank
    box_first = [6*layer/members + 1, 1, 1]
    box_points = [6*(layer + 1)/members - 6*layer/members, 5, 9]
    call test_solves(group, poisson3d_method_automatic, box_first=box_first, box_points=box_points)
    call test_solves(group, poisson3d_method_transpose, box_first=box_first, box_points=box_points)
    call group%destroy()
    call test_cartesian()
    call MPI_Allreduce(failures, worst, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (worst > 0) error stop "some checks failed"
contains

    ! Pencils of a Cartesian communicator whose dimensions are those of the second and the last index.
    subroutine test_cartesian()
        type(MPI_Comm) :: cartesian
        integer :: dims(2), here(2), m
        integer :: order(members)
        integer(int64) :: first(3), points(3)
        dims = 0
        call MPI_Dims_create(members, 2, dims)
        call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., cartesian)
        do m = 0, members - 1
            call MPI_Cart_coords(cartesian, m, 2, here)
            order(m + 1) = dims(1)*here(2) + here(1)
        end do
        call poisson3d_communicator_mpi(cartesian%MPI_VAL, group)
        call test_solves(group, poisson3d_method_automatic, pencils=dims, order=order)
        ! The same by its boxes.
        call MPI_Comm_rank(cartesian, rank)
        call MPI_Cart_coords(cartesian, rank, 2, here)
        first = [1, 5*here(1)/dims(1) + 1, 9*here(2)/dims(2) + 1]
        points = [6, 5*(here(1) + 1)/dims(1) - 5*here(1)/dims(1), 9*(here(2) + 1)/dims(2) - 9*here(2)/dims(2)]
        call test_solves(group, poisson3d_method_transpose, box_first=first, box_points=points)
        call group%destroy()
        call MPI_Comm_free(cartesian)
    end subroutine
end program
