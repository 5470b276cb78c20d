! Members that are ranks of MPI with a GPU each, which they may share: the planes of each against those of one solver on
! the host. Skipped without a GPU.
program test_fortran_device_ranks
    use poisson3d
    use poisson3d_mpi
    use mpi_f08
    use checks
    use members_laws
    use on_device
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer(c_size_t), parameter :: element = 8
    type(poisson3d_communicator) :: group
    integer :: rank, device, missing, worst, method, stat
    character(200) :: words
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    missing = device_missing()
    call MPI_Allreduce(MPI_IN_PLACE, missing, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    device = poisson3d_device_of_rank(MPI_COMM_WORLD%MPI_VAL)
    if (missing /= 0) then
        call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, group, stat, words, device=0)
        call check(stat == poisson3d_stat_device .and. index(words, "cannot be on a device") > 0, "without a GPU")
    else
        call check(device >= 0, "a GPU for this rank")
        call device_use(device)
        call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, group, device=device)
        do method = poisson3d_method_automatic, poisson3d_method_transpose
            call test_solve(method)
        end do
        call group%destroy()
    end if
    call MPI_Allreduce(failures, worst, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (worst > 0) error stop "some checks failed"
    if (missing /= 0) stop 77, quiet=.true.
contains

    subroutine test_solve(method)
        integer, intent(in) :: method
        type(poisson3d_problem) :: problem
        type(poisson3d_solver) :: alone
        type(poisson3d_distributed) :: shared
        type(poisson3d_info) :: info
        type(poisson3d_result) :: wanted, found
        real(real64), target :: f(6, 5, 9), expected(6, 5, 9)
        real(real64), target, allocatable :: slab(:, :, :)
        type(c_ptr) :: from(1), to(1), streams(1)
        integer(int64) :: lo(3), n(3)
        problem = problem_of_test()
        call random_field_of(f)
        call alone%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1))
        call alone%solve(f, expected, scale=-2.0_real64)
        call alone%get_result(wanted)
        call shared%create(group, problem, method=method)
        call shared%get_member_box(rank + 1, lo, n)
        allocate (slab(6, 5, max(n(3), 1_int64)))
        slab = 0
        slab(:, :, 1:n(3)) = f(:, :, lo(3):lo(3) + n(3) - 1)
        from(1) = device_take(element*size(slab), c_loc(slab))
        to(1) = device_take(element*size(slab), c_loc(slab))
        streams(1) = device_stream_make()
        call shared%set_streams(streams)
        call shared%solve(from, to, scale=-2.0_real64)
        call shared%get_result(found)
        call device_read(c_loc(slab), to(1), element*size(slab), streams(1))
        if (n(3) > 0) call check(maxval(abs(slab(:, :, 1:n(3)) - expected(:, :, lo(3):lo(3) + n(3) - 1))) < &
            1e-12_real64*maxval(abs(expected)), "ranks on devices solve")
        call check(found%singular .eqv. wanted%singular, "ranks on devices know what is singular")
        call shared%get_info(info)
        call check(index(info%description, " device") > 0 .and. info%engine_name == "fused", "where ranks are")
        call shared%destroy()
        call alone%destroy()
        call device_give_back(from(1))
        call device_give_back(to(1))
        call device_stream_end(streams(1))
    end subroutine

    ! The same numbers on all ranks.
    subroutine random_field_of(f)
        real(real64), intent(out) :: f(:, :, :)
        call random_number(f)
        call MPI_Bcast(f, size(f), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    end subroutine
end program
