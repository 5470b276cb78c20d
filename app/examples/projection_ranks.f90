! The projection step of channel_step.f90 by the ranks of MPI: the channel is split along z, each rank has its planes of
! every field and one more plane on either side, which its neighbours fill.
!
!     mpirun -n 4 projection_ranks
program projection_ranks
    use mpi_f08
    use poisson3d
    use poisson3d_mpi
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer, parameter :: wp = real64
    integer, parameter :: nx = 48, ny = 33, nz = 40
    real(wp), parameter :: dx = 0.02_wp, dz = 0.025_wp, dt = 0.01_wp
    real(wp), allocatable :: u(:, :, :), v(:, :, :), w(:, :, :), p(:, :, :), divergence(:, :, :)
    real(wp) :: faces(0:ny), widths(ny), before, after
    type(poisson3d_problem) :: problem
    type(poisson3d_communicator) :: members
    type(poisson3d_distributed) :: solver
    type(poisson3d_info) :: info
    integer(int64) :: first, planes
    integer :: j, k, n, rank, ranks, below, above

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    below = modulo(rank - 1, ranks)                   ! periodic along z; every rank has some planes here
    above = modulo(rank + 1, ranks)

    faces = [(tanh(1.8_wp*(2.0_wp*j/ny - 1))/tanh(1.8_wp), j = 0, ny)]
    widths = faces(1:ny) - faces(0:ny - 1)
    problem%axes(1) = poisson3d_axis(points=nx, spacing=dx)
    problem%axes(2) = poisson3d_axis(points=ny, lower=poisson3d_neumann, upper=poisson3d_neumann, positions=faces)
    problem%axes(3) = poisson3d_axis(points=nz, spacing=dz)
    call poisson3d_communicator_mpi(MPI_COMM_WORLD%MPI_VAL, members)
    call solver%create(members, problem)
    call solver%get_planes(first, planes)
    call solver%get_info(info)
    if (rank == 0) print "(2a)", "solver: ", info%description

    n = int(planes)
    allocate (u(nx, ny, n), v(nx, 0:ny, n), w(nx, ny, 0:n + 1), p(nx, ny, 0:n + 1), divergence(nx, ny, n))
    call random_number(u)
    call random_number(v)
    call random_number(w)
    u = 2*u - 1
    v = 2*v - 1
    w = 2*w - 1
    v(:, 0, :) = 0                                    ! nothing flows through the walls
    v(:, ny, :) = 0
    call take_divergence(before)
    call solver%solve(divergence, p(:, :, 1:n), scale=1/dt)
    call fill_ghosts(p)
    u = u - dt*(p(:, :, 1:n) - cshift(p(:, :, 1:n), -1, 1))/dx
    do j = 1, ny - 1
        v(:, j, :) = v(:, j, :) - dt*(p(:, j + 1, 1:n) - p(:, j, 1:n))/(0.5_wp*(widths(j) + widths(j + 1)))
    end do
    do k = 1, n
        w(:, :, k) = w(:, :, k) - dt*(p(:, :, k) - p(:, :, k - 1))/dz
    end do
    call take_divergence(after)
    if (rank == 0) print "(2(a, es9.2))", "largest divergence before ", before, ", after ", after
    call solver%destroy()
    call members%destroy()
    call MPI_Finalize()
    if (.not. after < 2e-14_wp*before) error stop "the flow is not free of divergence"

contains

    ! Planes 0 and n + 1 are the neighbours' last and first.
    subroutine fill_ghosts(field)
        real(wp), intent(inout) :: field(:, :, 0:)
        call MPI_Sendrecv(field(:, :, n), nx*ny, MPI_DOUBLE_PRECISION, above, 1, field(:, :, 0), nx*ny, &
            MPI_DOUBLE_PRECISION, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        call MPI_Sendrecv(field(:, :, 1), nx*ny, MPI_DOUBLE_PRECISION, below, 2, field(:, :, n + 1), nx*ny, &
            MPI_DOUBLE_PRECISION, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end subroutine

    ! u(i, :, :) is on the lower x face of cell i, w likewise; v(:, j, :) on the upper y face of cell j.
    subroutine take_divergence(largest)
        real(wp), intent(out) :: largest
        call fill_ghosts(w)
        divergence = (cshift(u, 1, 1) - u)/dx + (w(:, :, 2:n + 1) - w(:, :, 1:n))/dz
        do j = 1, ny
            divergence(:, j, :) = divergence(:, j, :) + (v(:, j, :) - v(:, j - 1, :))/widths(j)
        end do
        call MPI_Allreduce(maxval(abs(divergence)), largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    end subroutine
end program
