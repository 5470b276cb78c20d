! Addresses of device memory, as OpenACC's host_data and CUDA Fortran give them: a ghosted array on the device, a stream,
! boundary data, a batch, the gradient. Skipped without a device.
program test_fortran_device
    use poisson3d
    use checks
    use on_device
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer, parameter :: nx = 12, ny = 9, nz = 7
    type(poisson3d_problem) :: problem
    type(poisson3d_options) :: options, host
    type(poisson3d_solver) :: solver, on_host
    type(poisson3d_gradient) :: gradient
    type(poisson3d_boundary) :: boundary, device_boundary
    type(poisson3d_result) :: results(2)
    real(real64), target :: f(0:nx + 1, ny, 0:nz), u(nx, ny + 2, nz), face(nx, nz), expected(nx, ny, nz)
    real(real64), target :: many(nx, ny, nz, 2), du(nx, ny, nz, 3), du_host(nx, ny, nz, 3)
    type(c_ptr) :: stream, device_f, device_u, device_face, device_many, device_du
    integer(c_size_t), parameter :: element = 8
    integer(int64) :: component
    integer :: engine, i, j, k, b

    if (device_missing() /= 0) stop 77, quiet=.true.
    problem%axes(1) = poisson3d_axis(points=nx, spacing=0.5d0, lower=poisson3d_dirichlet, upper=poisson3d_neumann)
    problem%axes(2) = poisson3d_axis(points=ny, spacing=0.3d0, centering=poisson3d_node, lower=poisson3d_neumann, &
        upper=poisson3d_dirichlet)
    problem%axes(3) = poisson3d_axis(points=nz, spacing=0.7d0)
    f = -1
    do k = 1, nz
        do j = 1, ny
            do i = 1, nx
                f(i, j, k) = mod(7*i + 11*j + 13*k, 17) - 8
            end do
        end do
    end do
    do k = 1, nz
        face(:, k) = [(0.1d0*i + 0.3d0*k, i = 1, nx)]
    end do
    many(:, :, :, 1) = f(1:nx, :, 1:nz)
    many(:, :, :, 2) = 3 - many(:, :, :, 1)**2
    stream = device_stream_make()
    component = nx*ny*nz
    host%engine = poisson3d_engine_host
    call on_host%create(problem, host)
    call boundary%set(2, poisson3d_upper, face)
    do engine = poisson3d_engine_cufft, poisson3d_engine_fused
        u = -77
        device_f = device_take(element*size(f), c_loc(f))
        device_u = device_take(element*size(u), c_loc(u))
        device_face = device_take(element*size(face), c_loc(face))
        device_many = device_take(element*size(many), c_loc(many))
        device_du = device_take(element*size(du), c_loc(du))
        options%engine = engine
        options%memory = poisson3d_memory_fast
        options%batch = 2
        call solver%create(problem, options)
        call device_boundary%set(2, poisson3d_upper, device_face)
        call solver%solve(after(device_f, (nx + 2)*ny + 1), device_u, f_leading=[nx + 2_int64, int(ny, int64)], &
            u_leading=[int(nx, int64), ny + 2_int64], boundary=device_boundary, scale=2.0d0, stream=stream)
        call solver%get_result(results(1), stream)
        call device_read(c_loc(u), device_u, element*size(u), stream)
        call on_host%solve(f(1:nx, :, 1:nz), expected, boundary, scale=2.0d0)
        call check(maxval(abs(u(:, 1:ny, :) - expected)) < 1d-12*maxval(abs(expected)), "on the device")
        call check(all(abs(u(:, ny + 1:, :) + 77) <= 0), "gaps on the device")

        call solver%solve(device_many, device_many, stream=stream, fields=2_int64)
        call solver%get_result(results, stream)
        call device_read(c_loc(du), device_many, element*size(many), stream)
        do b = 1, 2
            call on_host%solve(many(:, :, :, b), expected)
            call check(maxval(abs(du(:, :, :, b) - expected)) < 1d-12*maxval(abs(expected)), "a batch on the device")
        end do

        call gradient%create(problem, options)
        call gradient%evaluate(device_u, device_du, after(device_du, int(component)), &
            after(device_du, 2*int(component)), u_leading=[int(nx, int64), ny + 2_int64], boundary=device_boundary, &
            stream=stream)
        call device_read(c_loc(du), device_du, element*size(du), stream)
        call gradient%create(problem, host)
        call gradient%evaluate(u(:, 1:ny, :), du_host, boundary)
        call check(maxval(abs(du - du_host)) < 1d-12*maxval(abs(du_host)), "a gradient on the device")
        call gradient%destroy()
        call solver%destroy()
        call device_give_back(device_f)
        call device_give_back(device_u)
        call device_give_back(device_face)
        call device_give_back(device_many)
        call device_give_back(device_du)
    end do
    call on_host%destroy()
    call device_stream_end(stream)
    if (failures > 0) error stop "some checks failed"

contains

    ! The address `elements` further on.
    function after(place, elements) result(further)
        type(c_ptr), intent(in) :: place
        integer, intent(in) :: elements
        type(c_ptr) :: further
        integer(c_intptr_t) :: address
        address = transfer(place, address) + 8_c_intptr_t*elements
        further = transfer(address, further)
    end function
end program
