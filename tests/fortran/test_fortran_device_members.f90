! Members on GPUs against one solver on the host: on device 0 twice, where there are two on both. Skipped without one.
program test_fortran_device_members
    use poisson3d
    use checks
    use members_laws
    use on_device
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer(c_size_t), parameter :: element = 8
    integer(int64), parameter :: uneven(3) = [0_int64, 5_int64, 4_int64]
    integer :: method
    if (device_missing() /= 0) stop 77, quiet=.true.
    do method = poisson3d_method_automatic, poisson3d_method_transpose
        call test_on([0, 0], method)
        call test_on([0, 0, 0], method, uneven)
        if (device_count() > 1) call test_on([0, 1], method)
        if (device_count() > 1) call test_on([1, 0, 1], method, uneven)
    end do
    call test_refusals()
    if (failures > 0) error stop "some checks failed"

contains

    ! Two fields with walls, in streams of the test, then one in place, in others.
    subroutine test_on(devices, method, planes)
        integer, intent(in) :: devices(:), method
        integer(int64), intent(in), optional :: planes(:)
        type(poisson3d_communicator) :: group
        type(poisson3d_problem) :: problem
        type(poisson3d_solver) :: alone
        type(poisson3d_distributed) :: shared
        type(poisson3d_boundary) :: walls, parts(size(devices))
        type(poisson3d_info) :: info
        type(poisson3d_result) :: wanted(2), found(2)
        real(real64), target :: on_x(5, 9), on_y(6, 9), f(6, 5, 9, 2), u(6, 5, 9, 2), expected(6, 5, 9, 2)
        real(real64), target, allocatable :: slab(:, :, :, :), wall(:, :)
        type(c_ptr), dimension(size(devices)) :: from, to, walls_x, walls_y, streams, others
        integer(int64) :: lo(3), n(3), most
        integer :: m
        logical :: staged
        type(poisson3d_gradient) :: gradient
        real(real64) :: slopes(6, 5, 9, 3)
        type(c_ptr) :: nowhere(size(devices))
        problem = problem_of_test()
        call random_field(f)
        call random_field(expected)
        on_x = expected(2, :, :, 1)
        on_y = expected(:, 3, :, 1)
        call walls%set(1, poisson3d_lower, on_x)
        call walls%set(2, poisson3d_upper, on_y)
        call walls%set(3, poisson3d_upper, 0.25_real64)
        call alone%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1, batch=2_int64))
        call alone%solve(f, expected, walls, scale=-2.0_real64)
        call alone%get_result(wanted)
        call group%create_devices(devices)
        staged = method == poisson3d_method_transpose
        call shared%create(group, problem, planes, method, batch=2_int64, chunks=merge(2, 0, staged), &
            way=merge(poisson3d_way_staged, poisson3d_way_automatic, staged))
        call group%destroy()
        most = 0
        do m = 1, size(devices)
            call shared%get_member_box(m, lo, n)
            if (present(planes)) call check(n(3) == planes(m), "a member has the planes that were wanted")
            most = max(most, n(3))
        end do
        do m = 1, size(devices)
            call shared%get_member_box(m, lo, n)
            call device_use(devices(m))
            streams(m) = device_stream_make()
            others(m) = device_stream_make()
            allocate (slab(6, 5, most, 2), wall(6, most))
            slab = -7
            slab(:, :, 1:n(3), :) = f(:, :, lo(3):lo(3) + n(3) - 1, :)
            from(m) = device_take(element*size(slab), c_loc(slab))
            to(m) = device_take(element*size(slab), c_loc(slab))
            wall = 0
            wall(1:5, 1:n(3)) = on_x(:, lo(3):lo(3) + n(3) - 1)
            walls_x(m) = device_take(element*size(wall), c_loc(wall))
            wall(:, 1:n(3)) = on_y(:, lo(3):lo(3) + n(3) - 1)
            walls_y(m) = device_take(element*size(wall), c_loc(wall))
            deallocate (slab, wall)
            call parts(m)%set(1, poisson3d_lower, walls_x(m), leading=6_int64)
            call parts(m)%set(2, poisson3d_upper, walls_y(m))
            call parts(m)%set(3, poisson3d_upper, 0.25_real64)
        end do
        call shared%set_streams(streams)
        call shared%solve(from, to, boundary=parts, scale=-2.0_real64, fields=2_int64)
        call shared%get_result(found)
        call collect(shared, devices, to, streams, most, u)
        call check(maxval(abs(u - expected)) < 1e-12_real64*maxval(abs(expected)), "members on devices solve")
        call check(all(found%singular .eqv. wanted%singular), "members on devices know what is singular")
        call shared%set_streams(others)                   ! the result is there: the others may follow
        call shared%apply(from, to)
        call alone%apply(f(:, :, :, 1), expected(:, :, :, 1))
        call collect(shared, devices, to, others, most, u)
        call check(maxval(abs(u(:, :, :, 1) - expected(:, :, :, 1))) < 1e-12_real64*maxval(abs(expected(:, :, :, 1))), &
            "members on devices apply the operator")
        nowhere = c_null_ptr
        call gradient%create(problem, poisson3d_options(engine=poisson3d_engine_host, threads=1))
        call gradient%evaluate(f(:, :, :, 1), slopes, walls)
        call shared%gradient(from, nowhere, nowhere, to, boundary=parts)
        call collect(shared, devices, to, others, most, u)
        call check(maxval(abs(u(:, :, :, 1) - slopes(:, :, :, 3))) < 1e-12_real64*maxval(abs(slopes)), &
            "members on devices differentiate")
        call gradient%destroy()
        call shared%solve(from, from)
        call alone%solve(f(:, :, :, 1), expected(:, :, :, 1))
        call collect(shared, devices, from, others, most, u)
        call check(maxval(abs(u(:, :, :, 1) - expected(:, :, :, 1))) < 1e-12_real64*maxval(abs(expected(:, :, :, 1))), &
            "members on devices solve in place")
        call shared%get_info(info)
        call check(index(info%description, " on device") > 0 .and. info%engine_name == "fused", "where members are")
        call check((index(info%description, "staged") > 0) .eqv. staged, "which way they go")
        call shared%destroy()
        call alone%destroy()
        do m = 1, size(devices)
            call device_use(devices(m))
            call device_give_back(from(m))
            call device_give_back(to(m))
            call device_give_back(walls_x(m))
            call device_give_back(walls_y(m))
            call device_stream_end(streams(m))
            call device_stream_end(others(m))
        end do
        call device_use(0)
    end subroutine

    ! The parts of both fields, from the devices, once their streams are done.
    subroutine collect(shared, devices, places, streams, most, u)
        type(poisson3d_distributed), intent(in) :: shared
        integer, intent(in) :: devices(:)
        type(c_ptr), intent(in) :: places(:), streams(:)
        integer(int64), intent(in) :: most
        real(real64), intent(inout) :: u(:, :, :, :)
        real(real64), target :: values(6, 5, most, 2)
        integer(int64) :: lo(3), n(3)
        integer :: m
        do m = 1, size(devices)
            call shared%get_member_box(m, lo, n)
            call device_use(devices(m))
            call device_read(c_loc(values), places(m), element*size(values), streams(m))
            u(:, :, lo(3):lo(3) + n(3) - 1, :) = values(:, :, 1:n(3), :)
        end do
    end subroutine

    subroutine test_refusals()
        type(poisson3d_communicator) :: group
        integer :: stat, none(0)
        character(200) :: words
        call group%create_devices([0, 99], stat, words)
        call check(stat == poisson3d_stat_usage .and. index(words, "no device 99") > 0, "no such device")
        call group%create_devices(none, stat, words)
        call check(stat == poisson3d_stat_usage, "no devices")
    end subroutine
end program
