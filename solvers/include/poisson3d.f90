! poisson3d for Fortran: (laplacian - lambda) u = f on a three-dimensional box, planned once, solved many times.
!
!   type(poisson3d_problem) :: problem
!   type(poisson3d_solver)  :: solver
!   problem%axes(1) = poisson3d_axis(points=nx, spacing=dx, lower=poisson3d_dirichlet, upper=poisson3d_neumann)
!   ...
!   call solver%create(problem)
!   call solver%solve(f, u)            ! real(real64) f(nx,ny,nz), u(nx,ny,nz); every time step
!   call solver%destroy()
!
! Everything is in Fortran's order: axis 1 belongs to the first index, the contiguous one. Arrays are used where they
! lie, sections with gaps between their columns too, such as f(1:nx,1:ny,1:nz) of an array with ghost layers: nothing
! is copied and ghosts are not touched. Only the first index must be contiguous.
!
! Every subroutine has stat= and errmsg= with the meaning they have in allocate: stat is 0 or a status below; without
! stat a failure stops the program with its sentence. Sizes and strides are 64-bit integers.
!
! Plans are freed by destroy, not by a final subroutine: the main program's variables are never finalized, compilers
! differ in what they finalize elsewhere, and memory of a device should be given back at a known place. A plan cannot
! be copied: an assignment that would do so stops the program.
!
! This file is compiled with the program that uses it (module files belong to one compiler) and calls poisson3d.h, where
! each call is described in full.
module poisson3d
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    implicit none
    private

    ! ---- Status: poisson3d_status of the C interface ----
    integer, parameter, public :: poisson3d_stat_ok = 0, poisson3d_stat_usage = 20, poisson3d_stat_unsupported = 21, &
        poisson3d_stat_data = 31, poisson3d_stat_resonant = 41, poisson3d_stat_out_of_memory = 50, &
        poisson3d_stat_device = 51, poisson3d_stat_internal = 70

    ! ---- Names for what a problem and options say ----
    integer, parameter, public :: poisson3d_periodic = 0, poisson3d_dirichlet = 1, poisson3d_neumann = 2, &
        poisson3d_robin = 3, poisson3d_free = 4
    integer, parameter, public :: poisson3d_gauge_default = 0, poisson3d_gauge_far = 2, poisson3d_gauge_box_mean = 3
    integer, parameter, public :: poisson3d_cell = 0, poisson3d_node = 1
    integer, parameter, public :: poisson3d_second_order = 0, poisson3d_spectral = 1
    integer, parameter, public :: poisson3d_engine_automatic = 0, poisson3d_engine_host = 1, &
        poisson3d_engine_cufft = 2, poisson3d_engine_fused = 3
    integer, parameter, public :: poisson3d_memory_automatic = 0, poisson3d_memory_fast = 1, &
        poisson3d_memory_standard = 2, poisson3d_memory_low = 3
    integer, parameter, public :: poisson3d_middle_automatic = 0, poisson3d_middle_transform = 1, &
        poisson3d_middle_eliminate = 2
    integer, parameter, public :: poisson3d_method_automatic = 0, poisson3d_method_eliminate = 1, &
        poisson3d_method_transpose = 2
    integer, parameter, public :: poisson3d_decomposition_slabs = 0, poisson3d_decomposition_pencils = 1, &
        poisson3d_decomposition_automatic = 2, poisson3d_decomposition_own = 3
    integer, parameter, public :: poisson3d_way_automatic = 0, poisson3d_way_copies = 1, poisson3d_way_stores = 2, &
        poisson3d_way_nccl = 3, poisson3d_way_staged = 4, poisson3d_way_passes = 5, poisson3d_way_mpi = 6
    integer, parameter, public :: poisson3d_lower = 1, poisson3d_upper = 2

    ! Cell: point j at origin + (j - 1/2) spacing. Node: at origin + (j - 1) spacing, both end points stored, but
    ! periodic axes do not repeat the first.
    type, public :: poisson3d_axis
        integer(int64) :: points = 0
        real(real64) :: spacing = 0, origin = 0
        integer :: centering = poisson3d_cell
        integer :: lower = poisson3d_periodic, upper = poisson3d_periodic
        ! Steps that differ: positions in place of spacing and origin, of n + 1 faces of cells, n nodes, n + 1 periodic
        ! nodes (the last is the first plus the period); or widths, their differences, from origin on.
        real(real64), allocatable :: positions(:), widths(:)
        ! Coefficients: -u"(j) = (g(j) (u(j) - u(j-1)) + g(j+1) (u(j) - u(j+1))) / D(j), conductances g and weights D; of
        ! cells n + 1 and n, of nodes n - 1 and n, of periodic nodes n and n.
        real(real64), allocatable :: conductances(:), weights(:)
        real(real64) :: robin_lower(2) = 1, robin_upper(2) = 1  ! alpha, beta: alpha u + beta du/dn = gamma
    end type

    type, public :: poisson3d_problem
        type(poisson3d_axis) :: axes(3)               ! axis 1: the first index of the arrays
        real(real64) :: helmholtz = 0                 ! lambda, in 1/length**2
        integer :: discretization = poisson3d_second_order
        integer(int64) :: gauge_point(3) = 0          ! where a constant is open: where u is 0; all 0: as gauge says
        ! By default mean of u 0; with one or two free axes _far, as u must be far away. _box_mean: mean of u 0 there, too.
        integer :: gauge = poisson3d_gauge_default
    end type

    type, public :: poisson3d_options
        integer :: engine = poisson3d_engine_automatic, memory = poisson3d_memory_automatic
        integer :: threads = 0                        ! of the host; 0: all this process may use
        integer :: device = 0                         ! number of the GPU
        type(c_ptr) :: workspace = c_null_ptr         ! memory of the caller, aligned to 64 bytes (device: 256)
        integer(int64) :: workspace_bytes = 0
        integer(int64) :: batch = 1                   ! the most right-hand sides of one solve
        integer :: middle = poisson3d_middle_automatic  ! its axis transformed or eliminated
    end type

    type, public :: poisson3d_result
        logical :: singular = .false.
        real(real64) :: mean_removed = 0              ! the weighted mean of scale * f that was subtracted
    end type

    ! What a solve with a variable coefficient did.
    type, public :: poisson3d_variable_result
        logical :: converged = .false.                ! the residual is at most the tolerance, or what rounding leaves
        integer :: iterations = 0                     ! each with one solve of the problem with a constant coefficient
        real(real64) :: residual = 0                  ! root mean square over that of the right-hand side
        logical :: singular = .false.
        real(real64) :: mean_removed = 0
    end type

    type, public :: poisson3d_info
        integer :: engine = 0, memory = 0, threads = 0, refinements = 0
        integer(int64) :: workspace_bytes = 0, batch = 1
        character(:), allocatable :: engine_name, memory_name, description
    end type

    ! r = scale f + boundary terms - mean - (laplacian - lambda) u; poisson3d.h has the formulas.
    type, bind(C), public :: poisson3d_residual
        real(c_double) :: max = 0, l2 = 0, relative = 0, backward = 0, max_rhs = 0, max_solution = 0
    end type

    ! ---- The structs of poisson3d.h ----
    type, bind(C) :: c_axis
        integer(c_int64_t) :: points
        real(c_double) :: spacing, origin
        integer(c_int) :: centering, lower, upper, reserved
    end type

    type, bind(C) :: c_uneven_axis
        type(c_ptr) :: positions, widths, conductances, weights
        real(c_double) :: alpha(2), beta(2)
    end type

    type, bind(C) :: c_problem
        integer(c_size_t) :: bytes
        type(c_axis) :: axes(3)
        real(c_double) :: helmholtz
        integer(c_int) :: discretization, gauge
        integer(c_int64_t) :: gauge_point(3)
        character(kind=c_char) :: labels(8)
        type(c_uneven_axis) :: uneven(3)
    end type

    type, bind(C) :: c_options
        integer(c_size_t) :: bytes
        integer(c_int) :: engine, memory, threads, device
        type(c_ptr) :: workspace
        integer(c_size_t) :: workspace_bytes
        integer(c_int64_t) :: batch
        integer(c_int) :: middle, reserved
    end type

    type, bind(C) :: c_face
        real(c_double) :: constant = 0
        type(c_ptr) :: data = c_null_ptr
        integer(c_int64_t) :: stride = 0, field_stride = 0
    end type

    type, bind(C) :: c_boundary
        integer(c_size_t) :: bytes
        type(c_face) :: faces(2, 3)                   ! (side, axis), axis in C's order
    end type

    type, bind(C) :: c_result
        integer(c_int) :: singular, reserved
        real(c_double) :: mean_removed
    end type

    type, bind(C) :: c_info
        integer(c_size_t) :: bytes
        integer(c_int) :: engine, memory, threads, refinements
        integer(c_size_t) :: workspace_bytes
        integer(c_int64_t) :: batch
        type(c_ptr) :: engine_name, memory_name, description
    end type

    type, bind(C) :: c_variable_control
        integer(c_size_t) :: bytes
        real(c_double) :: tolerance
        integer(c_int) :: max_iterations, start_from_u
    end type

    type, bind(C) :: c_variable_result
        integer(c_size_t) :: bytes
        integer(c_int) :: converged, iterations
        real(c_double) :: residual, mean_removed
        integer(c_int) :: singular, reserved
    end type

    type, bind(C) :: c_distributed_options
        integer(c_size_t) :: bytes = 0
        integer(c_int) :: method = poisson3d_method_automatic, threads = 0
        integer(c_int64_t) :: batch = 1
        integer(c_int) :: decomposition = poisson3d_decomposition_slabs, rows = 0, columns = 0
        type(c_ptr) :: row_points = c_null_ptr, column_points = c_null_ptr, order = c_null_ptr, boxes = c_null_ptr
        integer(c_int) :: way = poisson3d_way_automatic, chunks = 0
    end type

    type, bind(C) :: c_box
        integer(c_int64_t) :: first(3), points(3)
    end type

    type, bind(C) :: c_distributed_info
        integer(c_size_t) :: bytes
        integer(c_int) :: method, threads
        integer(c_int64_t) :: messages
        real(c_double) :: message_bytes
        integer(c_size_t) :: workspace_bytes
        integer(c_int64_t) :: batch
        type(c_ptr) :: method_name, description
    end type

    ! ---- The functions of poisson3d.h ----
    abstract interface
        function create_function(problem, options, plan) result(status) bind(C)
            import :: c_int, c_ptr, c_problem, c_options
            type(c_problem), intent(in) :: problem
            type(c_options), intent(in) :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: status
        end function
        function create_mixed_function(problem, options, refinements, plan) result(status) bind(C)
            import :: c_int, c_ptr, c_problem, c_options
            type(c_problem), intent(in) :: problem
            type(c_options), intent(in) :: options
            integer(c_int), value :: refinements
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: status
        end function
        subroutine destroy_function(plan) bind(C)
            import :: c_ptr
            type(c_ptr), value :: plan
        end subroutine
        function workspace_function(problem, options, bytes) result(status) bind(C)
            import :: c_int, c_size_t, c_problem, c_options
            type(c_problem), intent(in) :: problem
            type(c_options), intent(in) :: options
            integer(c_size_t), intent(out) :: bytes
            integer(c_int) :: status
        end function
        function info_function(plan, info) result(status) bind(C)
            import :: c_int, c_ptr, c_info
            type(c_ptr), value :: plan
            type(c_info), intent(inout) :: info
            integer(c_int) :: status
        end function
        function batch_function(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundary, scale, stream) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan, f, u, boundary, stream
            integer(c_int64_t), value :: count, f_step, u_step
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale
            integer(c_int) :: status
        end function
        function batch_function_float(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundary, scale, stream) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float
            type(c_ptr), value :: plan, f, u, boundary, stream
            integer(c_int64_t), value :: count, f_step, u_step
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_float), value :: scale
            integer(c_int) :: status
        end function
        function mixed_function(plan, f, f_strides, u, u_strides, boundary, scale, stream) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan, f, u, boundary, stream
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale
            integer(c_int) :: status
        end function
        function apply_function(plan, f, f_strides, u, u_strides, scale, stream) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan, f, u, stream
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale
            integer(c_int) :: status
        end function
        function apply_function_float(plan, f, f_strides, u, u_strides, scale, stream) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float
            type(c_ptr), value :: plan, f, u, stream
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_float), value :: scale
            integer(c_int) :: status
        end function
        function create_variable_function(problem, options, scaling, plan) result(status) bind(C)
            import :: c_int, c_ptr, c_double, c_problem, c_options
            type(c_problem), intent(in) :: problem
            type(c_options), intent(in) :: options
            real(c_double), value :: scaling
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: status
        end function
        function coefficient_function(plan, coefficient, strides, helmholtz, helmholtz_strides) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: plan, coefficient, helmholtz
            integer(c_int64_t), intent(in) :: strides(3), helmholtz_strides(3)
            integer(c_int) :: status
        end function
        function coefficient_faces_function(plan, faces, helmholtz, helmholtz_strides) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: plan, helmholtz
            type(c_ptr), intent(in) :: faces(3)
            integer(c_int64_t), intent(in) :: helmholtz_strides(3)
            integer(c_int) :: status
        end function
        function variable_function(plan, f, f_strides, u, u_strides, boundary, scale, control, found) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double, c_variable_control, c_variable_result
            type(c_ptr), value :: plan, f, u, boundary
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale
            type(c_variable_control), intent(in) :: control
            type(c_variable_result), intent(inout) :: found
            integer(c_int) :: status
        end function
        function variable_function_float(plan, f, f_strides, u, u_strides, boundary, scale, control, found) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float, c_variable_control, c_variable_result
            type(c_ptr), value :: plan, f, u, boundary
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_float), value :: scale
            type(c_variable_control), intent(in) :: control
            type(c_variable_result), intent(inout) :: found
            integer(c_int) :: status
        end function
        function operator_function(plan, u, u_strides, f, f_strides) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: plan, u, f
            integer(c_int64_t), intent(in) :: u_strides(3), f_strides(3)
            integer(c_int) :: status
        end function
        function results_function(plan, stream, results, count) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_result
            type(c_ptr), value :: plan, stream
            type(c_result), intent(out) :: results(*)
            integer(c_int64_t), value :: count
            integer(c_int) :: status
        end function
        function faces_function(plan, walls, stream, faces) result(status) bind(C)
            import :: c_int, c_ptr, c_boundary
            type(c_ptr), value :: plan, walls, stream
            type(c_boundary), intent(inout) :: faces
            integer(c_int) :: status
        end function
        function mixed_result_function(plan, stream, results) result(status) bind(C)
            import :: c_int, c_ptr, c_result
            type(c_ptr), value :: plan, stream
            type(c_result), intent(out) :: results
            integer(c_int) :: status
        end function
        function evaluate_function(plan, u, u_strides, components, strides, boundary, stream) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: plan, u, boundary, stream
            type(c_ptr), intent(in) :: components(3)
            integer(c_int64_t), intent(in) :: u_strides(3), strides(3)
            integer(c_int) :: status
        end function
        function source_function(plan, u, u_strides, f, f_strides, scale, components, strides, boundary, stream) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan, u, f, boundary, stream
            real(c_double), value :: scale
            type(c_ptr), intent(in) :: components(3)
            integer(c_int64_t), intent(in) :: u_strides(3), f_strides(3), strides(3)
            integer(c_int) :: status
        end function
        function source_function_float(plan, u, u_strides, f, f_strides, scale, components, strides, boundary, &
                stream) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float
            type(c_ptr), value :: plan, u, f, boundary, stream
            real(c_float), value :: scale
            type(c_ptr), intent(in) :: components(3)
            integer(c_int64_t), intent(in) :: u_strides(3), f_strides(3), strides(3)
            integer(c_int) :: status
        end function
        function residual_function(problem, f, f_strides, u, u_strides, boundary, scale, mean, residual) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double, c_problem, poisson3d_residual
            type(c_problem), intent(in) :: problem
            type(c_ptr), value :: f, u, boundary
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale, mean
            type(poisson3d_residual), intent(out) :: residual
            integer(c_int) :: status
        end function
        function residual_function_float(problem, f, f_strides, u, u_strides, boundary, scale, mean, residual) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double, c_float, c_problem, poisson3d_residual
            type(c_problem), intent(in) :: problem
            type(c_ptr), value :: f, u, boundary
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_float), value :: scale
            real(c_double), value :: mean
            type(poisson3d_residual), intent(out) :: residual
            integer(c_int) :: status
        end function
        function communicator_function(members, communicator) result(status) bind(C)
            import :: c_int, c_ptr
            integer(c_int), value :: members
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function
        function devices_function(numbers, members, communicator) result(status) bind(C)
            import :: c_int, c_ptr
            integer(c_int), intent(in) :: numbers(*)
            integer(c_int), value :: members
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function
        function streams_function(plan, streams) result(status) bind(C)
            import :: c_int, c_ptr
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: streams(*)
            integer(c_int) :: status
        end function
        function members_function(communicator, members, first, mine) result(status) bind(C)
            import :: c_int, c_ptr
            type(c_ptr), value :: communicator
            integer(c_int), intent(out) :: members, first, mine
            integer(c_int) :: status
        end function
        function create_distributed_function(problem, communicator, planes, options, plan) result(status) bind(C)
            import :: c_int, c_ptr, c_problem, c_distributed_options
            type(c_problem), intent(in) :: problem
            type(c_ptr), value :: communicator, planes
            type(c_distributed_options), intent(in) :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: status
        end function
        function box_function(plan, member, box) result(status) bind(C)
            import :: c_int, c_ptr, c_box
            type(c_ptr), value :: plan
            integer(c_int), value :: member
            type(c_box), intent(out) :: box
            integer(c_int) :: status
        end function
        function sent_function(plan, member, messages, bytes) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan
            integer(c_int), value :: member
            integer(c_int64_t), intent(out) :: messages
            real(c_double), intent(out) :: bytes
            integer(c_int) :: status
        end function
        function refuse_function(all, why) result(status) bind(C)
            import :: c_int, c_ptr
            type(c_ptr), value :: all
            integer(c_int), value :: why
            integer(c_int) :: status
        end function
        function distributed_info_function(plan, info) result(status) bind(C)
            import :: c_int, c_ptr, c_distributed_info
            type(c_ptr), value :: plan
            type(c_distributed_info), intent(inout) :: info
            integer(c_int) :: status
        end function
        function distributed_batch_function(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundaries, scale) &
                result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: f(*), u(*), boundaries(*)
            integer(c_int64_t), value :: count, f_step, u_step
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale
            integer(c_int) :: status
        end function
        function distributed_batch_function_float(plan, count, f, f_strides, f_step, u, u_strides, u_step, boundaries, &
                scale) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: f(*), u(*), boundaries(*)
            integer(c_int64_t), value :: count, f_step, u_step
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_float), value :: scale
            integer(c_int) :: status
        end function
        function distributed_apply_function(plan, f, f_strides, u, u_strides, scale) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: f(*), u(*)
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_double), value :: scale
            integer(c_int) :: status
        end function
        function distributed_apply_function_float(plan, f, f_strides, u, u_strides, scale) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: f(*), u(*)
            integer(c_int64_t), intent(in) :: f_strides(3), u_strides(3)
            real(c_float), value :: scale
            integer(c_int) :: status
        end function
        function distributed_gradient_function(plan, u, u_strides, components, strides, boundaries) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: u(*), components(*), boundaries(*)
            integer(c_int64_t), intent(in) :: u_strides(3), strides(3)
            integer(c_int) :: status
        end function
        function distributed_source_function(plan, u, u_strides, f, f_strides, scale, components, strides, boundaries) &
            result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_double
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: u(*), f(*), components(*), boundaries(*)
            integer(c_int64_t), intent(in) :: u_strides(3), f_strides(3), strides(3)
            real(c_double), value :: scale
            integer(c_int) :: status
        end function
        function distributed_source_function_float(plan, u, u_strides, f, f_strides, scale, components, strides, &
            boundaries) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_float
            type(c_ptr), value :: plan
            type(c_ptr), intent(in) :: u(*), f(*), components(*), boundaries(*)
            integer(c_int64_t), intent(in) :: u_strides(3), f_strides(3), strides(3)
            real(c_float), value :: scale
            integer(c_int) :: status
        end function
        function distributed_results_function(plan, results, count) result(status) bind(C)
            import :: c_int, c_ptr, c_int64_t, c_result
            type(c_ptr), value :: plan
            type(c_result), intent(out) :: results(*)
            integer(c_int64_t), value :: count
            integer(c_int) :: status
        end function
        function text_function() result(text) bind(C)
            import :: c_ptr
            type(c_ptr) :: text
        end function
    end interface

    procedure(create_function), bind(C, name="poisson3d_create") :: c_create
    procedure(create_function), bind(C, name="poisson3d_create_float") :: c_create_float
    procedure(create_function), bind(C, name="poisson3d_gradient_create") :: c_gradient_create
    procedure(create_function), bind(C, name="poisson3d_gradient_create_float") :: c_gradient_create_float
    procedure(create_mixed_function), bind(C, name="poisson3d_mixed_create") :: c_mixed_create
    procedure(destroy_function), bind(C, name="poisson3d_destroy") :: c_destroy
    procedure(destroy_function), bind(C, name="poisson3d_destroy_float") :: c_destroy_float
    procedure(destroy_function), bind(C, name="poisson3d_gradient_destroy") :: c_gradient_destroy
    procedure(destroy_function), bind(C, name="poisson3d_gradient_destroy_float") :: c_gradient_destroy_float
    procedure(destroy_function), bind(C, name="poisson3d_mixed_destroy") :: c_mixed_destroy
    procedure(workspace_function), bind(C, name="poisson3d_workspace_bytes") :: c_bytes
    procedure(workspace_function), bind(C, name="poisson3d_workspace_bytes_float") :: c_bytes_float
    procedure(workspace_function), bind(C, name="poisson3d_mixed_workspace_bytes") :: c_mixed_bytes
    procedure(info_function), bind(C, name="poisson3d_get_info") :: c_get_info
    procedure(info_function), bind(C, name="poisson3d_get_info_float") :: c_get_info_float
    procedure(info_function), bind(C, name="poisson3d_gradient_get_info") :: c_gradient_get_info
    procedure(info_function), bind(C, name="poisson3d_gradient_get_info_float") :: c_gradient_get_info_float
    procedure(info_function), bind(C, name="poisson3d_mixed_get_info") :: c_mixed_get_info
    procedure(batch_function), bind(C, name="poisson3d_solve_batch") :: c_solve_batch
    procedure(batch_function_float), bind(C, name="poisson3d_solve_batch_float") :: c_solve_batch_float
    procedure(mixed_function), bind(C, name="poisson3d_mixed_solve") :: c_mixed_solve
    procedure(apply_function), bind(C, name="poisson3d_apply") :: c_apply
    procedure(apply_function_float), bind(C, name="poisson3d_apply_float") :: c_apply_float
    procedure(results_function), bind(C, name="poisson3d_get_results") :: c_get_results
    procedure(results_function), bind(C, name="poisson3d_get_results_float") :: c_get_results_float
    procedure(faces_function), bind(C, name="poisson3d_get_faces") :: c_get_faces
    procedure(faces_function), bind(C, name="poisson3d_get_faces_float") :: c_get_faces_float
    procedure(mixed_result_function), bind(C, name="poisson3d_mixed_get_result") :: c_mixed_get_result
    procedure(evaluate_function), bind(C, name="poisson3d_gradient_evaluate") :: c_evaluate
    procedure(evaluate_function), bind(C, name="poisson3d_gradient_evaluate_float") :: c_evaluate_float
    procedure(source_function), bind(C, name="poisson3d_gradient_evaluate_with_source") :: c_evaluate_with_source
    procedure(source_function_float), bind(C, name="poisson3d_gradient_evaluate_with_source_float") :: &
        c_evaluate_with_source_float
    procedure(residual_function), bind(C, name="poisson3d_measure_residual") :: c_measure_residual
    procedure(residual_function_float), bind(C, name="poisson3d_measure_residual_float") :: c_measure_residual_float
    procedure(create_variable_function), bind(C, name="poisson3d_variable_create") :: c_variable_create
    procedure(create_variable_function), bind(C, name="poisson3d_variable_create_float") :: c_variable_create_float
    procedure(destroy_function), bind(C, name="poisson3d_variable_destroy") :: c_variable_destroy
    procedure(destroy_function), bind(C, name="poisson3d_variable_destroy_float") :: c_variable_destroy_float
    procedure(workspace_function), bind(C, name="poisson3d_variable_workspace_bytes") :: c_variable_bytes
    procedure(workspace_function), bind(C, name="poisson3d_variable_workspace_bytes_float") :: c_variable_bytes_float
    procedure(info_function), bind(C, name="poisson3d_variable_get_info") :: c_variable_get_info
    procedure(info_function), bind(C, name="poisson3d_variable_get_info_float") :: c_variable_get_info_float
    procedure(coefficient_function), bind(C, name="poisson3d_variable_set_coefficient") :: c_set_coefficient
    procedure(coefficient_function), bind(C, name="poisson3d_variable_set_coefficient_float") :: c_set_coefficient_float
    procedure(coefficient_faces_function), bind(C, name="poisson3d_variable_set_faces") :: c_set_faces
    procedure(coefficient_faces_function), bind(C, name="poisson3d_variable_set_faces_float") :: c_set_faces_float
    procedure(variable_function), bind(C, name="poisson3d_variable_solve") :: c_variable_solve
    procedure(variable_function_float), bind(C, name="poisson3d_variable_solve_float") :: c_variable_solve_float
    procedure(operator_function), bind(C, name="poisson3d_variable_apply") :: c_variable_apply
    procedure(operator_function), bind(C, name="poisson3d_variable_apply_float") :: c_variable_apply_float
    procedure(communicator_function), bind(C, name="poisson3d_communicator_threads") :: c_communicator_threads
    procedure(devices_function), bind(C, name="poisson3d_communicator_devices") :: c_communicator_devices
    procedure(destroy_function), bind(C, name="poisson3d_communicator_destroy") :: c_communicator_destroy
    procedure(members_function), bind(C, name="poisson3d_communicator_get_members") :: c_get_members
    procedure(create_distributed_function), bind(C, name="poisson3d_distributed_create") :: c_distributed_create
    procedure(create_distributed_function), bind(C, name="poisson3d_distributed_create_float") :: &
        c_distributed_create_float
    procedure(destroy_function), bind(C, name="poisson3d_distributed_destroy") :: c_distributed_destroy
    procedure(destroy_function), bind(C, name="poisson3d_distributed_destroy_float") :: c_distributed_destroy_float
    procedure(box_function), bind(C, name="poisson3d_distributed_get_box") :: c_get_box
    procedure(box_function), bind(C, name="poisson3d_distributed_get_box_float") :: c_get_box_float
    procedure(sent_function), bind(C, name="poisson3d_distributed_get_sent") :: c_get_sent
    procedure(sent_function), bind(C, name="poisson3d_distributed_get_sent_float") :: c_get_sent_float
    procedure(refuse_function), bind(C, name="poisson3d_communicator_refuse") :: c_communicator_refuse
    procedure(refuse_function), bind(C, name="poisson3d_distributed_refuse") :: c_distributed_refuse
    procedure(refuse_function), bind(C, name="poisson3d_distributed_refuse_float") :: c_distributed_refuse_float
    procedure(streams_function), bind(C, name="poisson3d_distributed_set_streams") :: c_set_streams
    procedure(streams_function), bind(C, name="poisson3d_distributed_set_streams_float") :: c_set_streams_float
    procedure(distributed_info_function), bind(C, name="poisson3d_distributed_get_info") :: c_distributed_get_info
    procedure(distributed_info_function), bind(C, name="poisson3d_distributed_get_info_float") :: &
        c_distributed_get_info_float
    procedure(distributed_batch_function), bind(C, name="poisson3d_distributed_solve_batch") :: c_distributed_solve
    procedure(distributed_batch_function_float), bind(C, name="poisson3d_distributed_solve_batch_float") :: &
        c_distributed_solve_float
    procedure(distributed_apply_function), bind(C, name="poisson3d_distributed_apply") :: c_distributed_apply
    procedure(distributed_apply_function_float), bind(C, name="poisson3d_distributed_apply_float") :: &
        c_distributed_apply_float
    procedure(distributed_gradient_function), bind(C, name="poisson3d_distributed_gradient") :: c_distributed_gradient
    procedure(distributed_gradient_function), bind(C, name="poisson3d_distributed_gradient_float") :: &
        c_distributed_gradient_float
    procedure(distributed_source_function), bind(C, name="poisson3d_distributed_gradient_with_source") :: &
        c_distributed_source
    procedure(distributed_source_function_float), bind(C, name="poisson3d_distributed_gradient_with_source_float") :: &
        c_distributed_source_float
    procedure(distributed_results_function), bind(C, name="poisson3d_distributed_get_results") :: &
        c_distributed_get_results
    procedure(distributed_results_function), bind(C, name="poisson3d_distributed_get_results_float") :: &
        c_distributed_get_results_float
    procedure(text_function), bind(C, name="poisson3d_last_message") :: c_last_message
    procedure(text_function), bind(C, name="poisson3d_version") :: c_version

    ! ---- What the subroutines below hand to each other ----

    ! An array of the caller: where it is, its shape (Fortran's order), its strides in elements (C's order), and how far
    ! one field of a batch is from the next.
    type :: array_view
        type(c_ptr) :: first = c_null_ptr
        integer(int64) :: extents(3) = 0, fields = 1, step = 0
        integer(c_int64_t) :: strides(3) = 0
        integer :: bytes = 0                          ! of an element; 0: only an address is known
        integer(int64) :: apart = 1                   ! elements along the first index; 0: no whole number
    end type

    ! Values on the faces: of u on Dirichlet faces, of the outward normal derivative on Neumann faces. set(axis, side,
    ! values): a number, or an array over the two other axes in order; of rank 3 in a batch, the last index the field.
    ! Arrays are kept by address: they must be targets that live until the solve is done. Numbers start as 0.
    type, public :: poisson3d_boundary
        private
        type(c_face) :: faces(2, 3)                   ! (side, axis), axis in Fortran's order
        type(array_view) :: arrays(2, 3)
    contains
        procedure, private :: set_constant_r8, set_constant_r4, set_array_r8, set_array_r4, set_arrays_r8, set_arrays_r4
        procedure, private :: set_pointer
        generic :: set => set_constant_r8, set_constant_r4, set_array_r8, set_array_r4, set_arrays_r8, set_arrays_r4, &
            set_pointer
    end type

    ! What all plans have.
    type, abstract :: plan
        private
        type(c_ptr) :: handle = c_null_ptr
        integer(int64) :: points(3) = 0
        integer :: bytes = 8                          ! of an element of its fields
        procedure(destroy_function), pointer, nopass :: free => null()
        procedure(info_function), pointer, nopass :: inform => null()
    contains
        procedure :: destroy, get_info
        procedure, private :: refuse_copy
        generic :: assignment(=) => refuse_copy
    end type

    ! Members that share a box: threads of this process, or GPUs of it, or, by module poisson3d_mpi, ranks of MPI.
    type, public :: poisson3d_communicator
        private
        type(c_ptr) :: handle = c_null_ptr
        logical :: on_devices = .false.
    contains
        procedure :: create => create_threads
        procedure :: create_devices
        procedure :: destroy => destroy_communicator
        procedure :: take => take_communicator
    end type

    ! What solvers do with arrays.
    type, abstract, extends(plan) :: solver_of_arrays
    contains
        procedure(solve_call), deferred, private :: call_solve
        procedure(apply_call), deferred, private :: call_apply
        procedure(results_call), deferred, private :: call_results
        procedure, private :: refuse => refuse_alone
        procedure, private :: solve_r8, solve_r4, solve_batch_r8, solve_batch_r4, solve_pointers
        generic :: solve => solve_r8, solve_r4, solve_batch_r8, solve_batch_r4, solve_pointers
        procedure, private :: in_place_r8, in_place_r4, in_place_batch_r8, in_place_batch_r4
        generic :: solve_in_place => in_place_r8, in_place_r4, in_place_batch_r8, in_place_batch_r4
        procedure, private :: apply_r8, apply_r4, apply_pointers
        generic :: apply => apply_r8, apply_r4, apply_pointers
        procedure, private :: get_one_result, get_all_results
        generic :: get_result => get_one_result, get_all_results
    end type

    ! The calls of C, of arrays that fit. `walls` are the boundary data if there are any, else not looked at.
    abstract interface
        recursive function solve_call(self, f, u, any_walls, walls, scale, stream) result(status)
            import :: solver_of_arrays, array_view, c_boundary, c_ptr, real64
            class(solver_of_arrays), intent(in) :: self
            type(array_view), intent(in) :: f, u
            logical, intent(in) :: any_walls
            type(c_boundary), intent(in), target :: walls
            real(real64), intent(in) :: scale
            type(c_ptr), intent(in) :: stream
            integer :: status
        end function
        recursive function apply_call(self, f, u, scale, stream) result(status)
            import :: solver_of_arrays, array_view, c_ptr, real64
            class(solver_of_arrays), intent(in) :: self
            type(array_view), intent(in) :: f, u
            real(real64), intent(in) :: scale
            type(c_ptr), intent(in) :: stream
            integer :: status
        end function
        recursive function results_call(self, stream, results) result(status)
            import :: solver_of_arrays, c_ptr, c_result
            class(solver_of_arrays), intent(in) :: self
            type(c_ptr), intent(in) :: stream
            type(c_result), intent(out) :: results(:)
            integer :: status
        end function
    end interface

    ! A solver for real(real64) fields, or, created with precision=real32, for real(real32) fields.
    type, extends(solver_of_arrays), public :: poisson3d_solver
    contains
        procedure :: create => create_solver
        procedure, nopass :: workspace_bytes => solver_bytes
        procedure, private :: call_solve => solver_solve, call_apply => solver_apply, call_results => solver_results
        procedure :: get_faces
    end type

    ! The same by members that share the box, each with a part of it: some planes of the last index, or another box. Every
    ! call is one of all members, with fields in host memory, where a stream means nothing. f and u have what this process
    ! has, on a rank the rank's box, else the whole one; boundary data has the parts of the faces that this touches. Of
    ! members on GPUs f and u are arrays of addresses, one in the memory of each.
    type, extends(solver_of_arrays), public :: poisson3d_distributed
        private
        integer(int64), allocatable :: begin(:, :)    ! where the box of each of my members begins in mine, in C's order
        integer(int64), allocatable :: boxes(:, :)    ! their points, in Fortran's order
        integer(int64) :: first(3) = 0                ! my first point in the box, in C's order, counted from 0
        logical :: on_devices = .false.
    contains
        procedure :: create => create_distributed
        procedure :: get_planes
        procedure :: get_box
        procedure :: get_member_box
        procedure :: set_streams
        procedure, private :: solve_parts, apply_parts
        generic :: solve => solve_parts
        generic :: apply => apply_parts
        procedure, private :: gradient_r8, gradient_r4, gradient_parts
        generic :: gradient => gradient_r8, gradient_r4, gradient_parts
        procedure, private :: gradient_with_source_r8, gradient_with_source_r4, gradient_with_source_parts
        generic :: gradient_with_source => gradient_with_source_r8, gradient_with_source_r4, gradient_with_source_parts
        procedure :: get_info => get_distributed_info
        procedure :: get_traffic
        procedure, private :: call_solve => distributed_solve, call_apply => distributed_apply, &
            call_results => distributed_results, refuse => refuse_distributed
    end type

    ! The gradient of a solution by the rules it was solved with.
    type, extends(plan), public :: poisson3d_gradient
    contains
        procedure :: create => create_gradient
        procedure, private :: evaluate_r8, evaluate_r4, evaluate_rank4_r8, evaluate_rank4_r4, evaluate_pointers
        procedure, private :: evaluate_with_source_r8, evaluate_with_source_r4
        generic :: evaluate => evaluate_r8, evaluate_r4, evaluate_rank4_r8, evaluate_rank4_r4, evaluate_pointers
        generic :: evaluate_with_source => evaluate_with_source_r8, evaluate_with_source_r4
    end type

    ! Fields of real(real64), transforms in real32, refined to the accuracy of real64.
    type, extends(plan), public :: poisson3d_mixed
    contains
        procedure :: create => create_mixed
        procedure, nopass :: workspace_bytes => mixed_bytes
        procedure, private :: mixed_solve_arrays, mixed_solve_pointers
        generic :: solve => mixed_solve_arrays, mixed_solve_pointers
        procedure :: get_result => mixed_get_result
    end type

    ! div(epsilon grad u) - lambda u = scale * f, epsilon > 0 a field, by conjugate gradients with one fast solve an
    ! iteration. Arrays of the host, of real(real64), or, created with precision=real32, of real(real32).
    type, extends(plan), public :: poisson3d_variable
    contains
        procedure :: create => create_variable
        procedure, nopass :: workspace_bytes => variable_bytes
        procedure, private :: set_coefficient_r8, set_coefficient_r4, set_faces_r8, set_faces_r4
        generic :: set_coefficient => set_coefficient_r8, set_coefficient_r4
        generic :: set_faces => set_faces_r8, set_faces_r4
        procedure, private :: variable_solve_r8, variable_solve_r4, variable_apply_r8, variable_apply_r4
        generic :: solve => variable_solve_r8, variable_solve_r4
        generic :: apply => variable_apply_r8, variable_apply_r4
    end type

    ! How well u solves the problem, by the stencil in real64; host memory, second-order only.
    interface poisson3d_measure_residual
        module procedure measure_residual_r8, measure_residual_r4
    end interface

    interface view
        module procedure view2_r8, view2_r4, view3_r8, view3_r4, view4_r8, view4_r4
    end interface

    public :: poisson3d_measure_residual, poisson3d_version

    ! All are recursive, as Fortran 2018 has it by itself: older compilers may keep the variables of others in one place,
    ! which threads would share.
contains

    recursive function poisson3d_version() result(text)
        character(:), allocatable :: text
        text = text_of(c_version())
    end function

    ! ---- Failures ----

    recursive function text_of(pointer) result(text)
        type(c_ptr), intent(in) :: pointer
        character(:), allocatable :: text
        character(kind=c_char), pointer :: characters(:)
        integer :: length, i
        call c_f_pointer(pointer, characters, [huge(0)])
        length = 0
        do while (characters(length + 1) /= c_null_char)
            length = length + 1
        end do
        allocate (character(length) :: text)
        do i = 1, length
            text(i:i) = characters(i)
        end do
    end function

    ! The end of every call: stat and errmsg, or a stop where there is no stat.
    recursive subroutine finish(status, stat, errmsg, sentence)
        integer, intent(in) :: status
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(*), intent(in), optional :: sentence  ! of a failure found here; else that of the library
        character(:), allocatable :: text
        if (present(stat)) stat = status
        if (status == poisson3d_stat_ok) return
        if (present(sentence)) then
            text = sentence
        else
            text = text_of(c_last_message())
        end if
        if (present(errmsg)) errmsg = text
        if (.not. present(stat)) error stop text
    end subroutine

    recursive function number(n) result(text)
        integer(int64), intent(in) :: n
        character(:), allocatable :: text
        character(24) :: digits
        write (digits, "(i0)") n
        text = trim(digits)
    end function

    recursive function shape_text(extents) result(text)
        integer(int64), intent(in) :: extents(:)
        character(:), allocatable :: text
        integer :: i
        text = number(extents(1))
        do i = 2, size(extents)
            text = text//" x "//number(extents(i))
        end do
    end function

    ! ---- Arrays without a copy: strides are differences of addresses ----

    ! places: of the first element and of the next one along each index (itself where there is none).
    recursive function make_view(places, extents, bytes) result(found)
        type(c_ptr), intent(in) :: places(:)
        integer(int64), intent(in) :: extents(:)
        integer, intent(in) :: bytes
        type(array_view) :: found
        integer(c_intptr_t) :: first, apart
        integer(int64) :: strides(4), stride
        integer :: a, rank
        rank = size(extents)
        found%bytes = bytes
        found%extents(1:min(rank, 3)) = extents(1:min(rank, 3))
        if (rank == 4) found%fields = extents(4)
        found%first = places(1)
        first = transfer(places(1), first)
        strides = 1
        stride = 1                                    ! of an index with one value: that of an array without gaps
        do a = 1, rank
            strides(a) = stride
            stride = stride*extents(a)
            if (extents(a) < 2) cycle
            apart = transfer(places(a + 1), apart) - first
            strides(a) = apart/bytes
            stride = strides(a)*extents(a)
            if (mod(apart, int(bytes, c_intptr_t)) /= 0) found%apart = 0
        end do
        if (found%apart /= 0) found%apart = strides(1)
        if (rank == 2) then
            found%strides = [0_c_int64_t, 0_c_int64_t, strides(2)]  ! a face: the stride of its rows
        else
            found%strides = [strides(3), strides(2), 1_c_int64_t]
        end if
        if (rank == 4) found%step = strides(4)
    end function

    recursive function view2_r8(a) result(found)
        real(real64), intent(in), target :: a(:, :)
        type(array_view) :: found
        integer(int64) :: n(2), m(2)
        n = shape(a, int64)
        m = min(n, 2_int64)
        found%bytes = 8
        if (size(a) > 0) found = make_view([c_loc(a(1, 1)), c_loc(a(m(1), 1)), c_loc(a(1, m(2)))], n, 8)
    end function

    recursive function view2_r4(a) result(found)
        real(real32), intent(in), target :: a(:, :)
        type(array_view) :: found
        integer(int64) :: n(2), m(2)
        n = shape(a, int64)
        m = min(n, 2_int64)
        found%bytes = 4
        if (size(a) > 0) found = make_view([c_loc(a(1, 1)), c_loc(a(m(1), 1)), c_loc(a(1, m(2)))], n, 4)
    end function

    recursive function view3_r8(a) result(found)
        real(real64), intent(in), target :: a(:, :, :)
        type(array_view) :: found
        integer(int64) :: n(3), m(3)
        n = shape(a, int64)
        m = min(n, 2_int64)
        found%bytes = 8
        if (size(a) > 0) found = make_view([c_loc(a(1, 1, 1)), c_loc(a(m(1), 1, 1)), c_loc(a(1, m(2), 1)), &
            c_loc(a(1, 1, m(3)))], n, 8)
    end function

    recursive function view3_r4(a) result(found)
        real(real32), intent(in), target :: a(:, :, :)
        type(array_view) :: found
        integer(int64) :: n(3), m(3)
        n = shape(a, int64)
        m = min(n, 2_int64)
        found%bytes = 4
        if (size(a) > 0) found = make_view([c_loc(a(1, 1, 1)), c_loc(a(m(1), 1, 1)), c_loc(a(1, m(2), 1)), &
            c_loc(a(1, 1, m(3)))], n, 4)
    end function

    recursive function view4_r8(a) result(found)
        real(real64), intent(in), target :: a(:, :, :, :)
        type(array_view) :: found
        integer(int64) :: n(4), m(4)
        n = shape(a, int64)
        m = min(n, 2_int64)
        found%fields = n(4)
        found%bytes = 8
        if (size(a) > 0) found = make_view([c_loc(a(1, 1, 1, 1)), c_loc(a(m(1), 1, 1, 1)), c_loc(a(1, m(2), 1, 1)), &
            c_loc(a(1, 1, m(3), 1)), c_loc(a(1, 1, 1, m(4)))], n, 8)
    end function

    recursive function view4_r4(a) result(found)
        real(real32), intent(in), target :: a(:, :, :, :)
        type(array_view) :: found
        integer(int64) :: n(4), m(4)
        n = shape(a, int64)
        m = min(n, 2_int64)
        found%fields = n(4)
        found%bytes = 4
        if (size(a) > 0) found = make_view([c_loc(a(1, 1, 1, 1)), c_loc(a(m(1), 1, 1, 1)), c_loc(a(1, m(2), 1, 1)), &
            c_loc(a(1, 1, m(3), 1)), c_loc(a(1, 1, 1, m(4)))], n, 4)
    end function

    ! An address, of host or device, with the shape of the plan; `leading` are the first two extents of the array that
    ! it lies in.
    recursive function view_of_pointer(points, first, leading, fields, step) result(found)
        integer(int64), intent(in) :: points(3)
        type(c_ptr), intent(in) :: first
        integer(int64), intent(in), optional :: leading(2), fields, step
        type(array_view) :: found
        integer(int64) :: whole(2)
        whole = points(1:2)
        if (present(leading)) whole = leading
        found%first = first
        found%extents = points
        found%strides = [whole(1)*whole(2), whole(1), 1_c_int64_t]
        if (present(fields)) found%fields = fields
        found%step = found%strides(1)*points(3)
        if (present(step)) found%step = step
    end function

    ! Why an array cannot be used; empty if it can.
    recursive function complaint(self, array, name) result(text)
        class(plan), intent(in) :: self
        type(array_view), intent(in) :: array
        character(*), intent(in) :: name
        character(:), allocatable :: text
        text = ""
        if (.not. c_associated(self%handle)) then
            text = "there is no plan: call create before this"
        else if (array%bytes /= 0 .and. array%bytes /= self%bytes) then
            text = "array "//name//" is of real"//number(8_int64*array%bytes)//", the plan is for real"// &
                number(8_int64*self%bytes)
        else if (any(array%extents /= self%points) .and. (product(self%points) /= 0 .or. &
                product(array%extents) /= 0)) then
            text = "array "//name//" has shape "//shape_text(array%extents)//", wanted "// &
                shape_text(self%points)
        else if (array%apart /= 1) then
            text = "array "//name//" has gaps between the elements of its first index, wanted none there"
        end if
    end function

    ! Of the arrays of a gradient, and of the right-hand side if there is one.
    recursive function complaint_of_gradient(self, u, dx, dy, dz, f) result(text)
        class(plan), intent(in) :: self
        type(array_view), intent(in) :: u, dx, dy, dz
        type(array_view), intent(in), optional :: f
        character(:), allocatable :: text
        text = complaint(self, u, "u")
        if (text == "" .and. present(f)) text = complaint(self, f, "f")
        if (text == "") text = complaint(self, dx, "dx")
        if (text == "") text = complaint(self, dy, "dy")
        if (text == "") text = complaint(self, dz, "dz")
        if (text == "" .and. (any(dx%strides /= dy%strides) .or. any(dx%strides /= dz%strides))) &
            text = "dx, dy and dz lie differently in memory, wanted arrays of one layout"
    end function

    ! ---- Problem and options in C's words ----

    recursive function problem_for_c(problem) result(c)
        type(poisson3d_problem), intent(in), target :: problem
        type(c_problem) :: c
        integer :: a
        c%bytes = c_sizeof(c)
        do a = 1, 3
            associate (axis => problem%axes(4 - a))
                c%axes(a) = c_axis(axis%points, axis%spacing, axis%origin, axis%centering, axis%lower, axis%upper, 0)
                c%uneven(a) = c_uneven_axis(place(axis%positions), place(axis%widths), place(axis%conductances), &
                    place(axis%weights), [axis%robin_lower(1), axis%robin_upper(1)], &
                    [axis%robin_lower(2), axis%robin_upper(2)])
            end associate
        end do
        c%helmholtz = problem%helmholtz
        c%discretization = problem%discretization
        c%gauge = merge(1, problem%gauge, any(problem%gauge_point /= 0))
        c%gauge_point = problem%gauge_point(3:1:-1) - 1
        c%labels = [character(kind=c_char) :: "z", "y", "x", (c_null_char, a = 4, 8)]
    end function

    ! Where numbers are that the problem holds; null if it holds none.
    recursive function place(numbers) result(address)
        real(real64), allocatable, target, intent(in) :: numbers(:)
        type(c_ptr) :: address
        address = c_null_ptr
        if (allocated(numbers)) then
            if (size(numbers) > 0) address = c_loc(numbers)
        end if
    end function

    recursive function options_for_c(options) result(c)
        type(poisson3d_options), intent(in), optional :: options
        type(c_options) :: c
        type(poisson3d_options) :: o
        if (present(options)) o = options
        c = c_options(c_sizeof(c), o%engine, o%memory, o%threads, o%device, o%workspace, &
            int(o%workspace_bytes, c_size_t), o%batch, o%middle, 0)
    end function

    ! What C cannot see, how many numbers an axis has, and a gauge point outside, in the words of Fortran; the rest the
    ! library says.
    recursive subroutine check_problem(problem, status, sentence)
        type(poisson3d_problem), intent(in), target :: problem
        integer, intent(out) :: status
        character(:), allocatable, intent(out) :: sentence
        integer(int64) :: steps
        integer :: a
        status = poisson3d_stat_ok
        sentence = ""
        do a = 1, 3
            associate (axis => problem%axes(a))
                steps = axis%points
                if (axis%centering == poisson3d_node .and. axis%lower /= poisson3d_periodic) steps = steps - 1
                call check_count(axis%positions, "positions", steps + 1)
                call check_count(axis%widths, "widths", steps)
                call check_count(axis%conductances, "conductances", &
                    merge(steps + 1, steps, axis%centering == poisson3d_cell))
                call check_count(axis%weights, "weights", axis%points)
            end associate
            if (all(problem%gauge_point == 0)) cycle
            if (problem%gauge_point(a) >= 1 .and. problem%gauge_point(a) <= problem%axes(a)%points) cycle
            status = poisson3d_stat_usage
            sentence = "the gauge point has index "//number(problem%gauge_point(a))//" on axis "// &
                number(int(a, int64))//", wanted 1 to "//number(problem%axes(a)%points)
        end do
    contains
        recursive subroutine check_count(numbers, name, wanted)
            real(real64), allocatable, intent(in) :: numbers(:)
            character(*), intent(in) :: name
            integer(int64), intent(in) :: wanted
            if (.not. allocated(numbers)) return
            if (size(numbers, kind=int64) == wanted) return
            status = poisson3d_stat_data
            sentence = "axis "//number(int(a, int64))//" has "//number(size(numbers, kind=int64))//" "//name// &
                ", wanted "//number(wanted)
        end subroutine
    end subroutine

    ! ---- All plans ----

    ! Frees the plan; nothing happens if there is none. Solves on a stream must have ended.
    recursive subroutine destroy(self)
        class(plan), intent(inout) :: self
        if (c_associated(self%handle)) call self%free(self%handle)
        self%handle = c_null_ptr
    end subroutine

    recursive subroutine refuse_copy(to, from)
        class(plan), intent(inout) :: to
        class(plan), intent(in) :: from
        if (c_associated(from%handle)) error stop "a plan of poisson3d cannot be copied: create another, or point to it"
        call to%destroy()
    end subroutine

    recursive subroutine get_info(self, info, stat, errmsg)
        class(plan), intent(in) :: self
        type(poisson3d_info), intent(out) :: info
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_info) :: c
        integer :: status
        if (.not. c_associated(self%handle)) then
            call finish(poisson3d_stat_usage, stat, errmsg, "there is no plan: call create before this")
            return
        end if
        c%bytes = c_sizeof(c)
        status = self%inform(self%handle, c)
        if (status == poisson3d_stat_ok) then
            info%engine = c%engine
            info%memory = c%memory
            info%threads = c%threads
            info%refinements = c%refinements
            info%workspace_bytes = int(c%workspace_bytes, int64)
            info%batch = c%batch
            info%engine_name = text_of(c%engine_name)
            info%memory_name = text_of(c%memory_name)
            info%description = text_of(c%description)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! ---- Solver ----

    ! Takes all memory and makes the plan; a plan that was there is destroyed first. precision: real64 (default) or
    ! real32.
    recursive subroutine create_solver(self, problem, options, precision, stat, errmsg)
        class(poisson3d_solver), intent(inout) :: self
        type(poisson3d_problem), intent(in), target :: problem
        type(poisson3d_options), intent(in), optional :: options
        integer, intent(in), optional :: precision
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer :: status
        call self%destroy()
        call choose_precision(problem, precision, self%bytes, status, sentence)
        if (status /= poisson3d_stat_ok) then
            call finish(status, stat, errmsg, sentence)
            return
        end if
        self%points = problem%axes%points
        if (self%bytes == 8) then
            self%free => c_destroy
            self%inform => c_get_info
            status = c_create(problem_for_c(problem), options_for_c(options), self%handle)
        else
            self%free => c_destroy_float
            self%inform => c_get_info_float
            status = c_create_float(problem_for_c(problem), options_for_c(options), self%handle)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    recursive subroutine choose_precision(problem, precision, bytes, status, sentence)
        type(poisson3d_problem), intent(in), target :: problem
        integer, intent(in), optional :: precision
        integer, intent(out) :: bytes, status
        character(:), allocatable, intent(out) :: sentence
        call check_problem(problem, status, sentence)
        bytes = 8
        if (.not. present(precision)) return
        if (precision == real32) bytes = 4
        if (precision == real32 .or. precision == real64) return
        status = poisson3d_stat_usage
        sentence = "found precision "//number(int(precision, int64))//", wanted real64 or real32"
    end subroutine

    ! Bytes of workspace that create would take, exactly; allocates nothing.
    recursive subroutine solver_bytes(problem, bytes, options, precision, stat, errmsg)
        type(poisson3d_problem), intent(in), target :: problem
        integer(int64), intent(out) :: bytes
        type(poisson3d_options), intent(in), optional :: options
        integer, intent(in), optional :: precision
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer(c_size_t) :: found
        integer :: element, status
        bytes = 0
        call choose_precision(problem, precision, element, status, sentence)
        if (status /= poisson3d_stat_ok) then
            call finish(status, stat, errmsg, sentence)
            return
        end if
        if (element == 8) then
            status = c_bytes(problem_for_c(problem), options_for_c(options), found)
        else
            status = c_bytes_float(problem_for_c(problem), options_for_c(options), found)
        end if
        if (status == poisson3d_stat_ok) bytes = int(found, int64)
        call finish(status, stat, errmsg)
    end subroutine

    ! u := solution of (laplacian - lambda) u = scale f. In all that follow f and u are the arrays of the caller.
    recursive subroutine run(self, f, u, boundary, scale, stream, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        type(array_view), intent(in) :: f, u
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data
        type(c_ptr) :: data_place, place_on_stream
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint(self, f, "f")
        if (sentence == "") sentence = complaint(self, u, "u")
        if (sentence == "" .and. f%fields /= u%fields) &
            sentence = "f has "//number(f%fields)//" fields and u has "//number(u%fields)//", wanted as many"
        if (sentence == "") call boundary_for_c(self, boundary, u%fields, data, data_place, sentence)
        if (sentence /= "") then
            call self%refuse()
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        status = self%call_solve(f, u, c_associated(data_place), data, scale, place_on_stream)
        call finish(status, stat, errmsg)
    end subroutine

    recursive function solver_solve(self, f, u, any_walls, walls, scale, stream) result(status)
        class(poisson3d_solver), intent(in) :: self
        type(array_view), intent(in) :: f, u
        logical, intent(in) :: any_walls
        type(c_boundary), intent(in), target :: walls
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in) :: stream
        integer :: status
        type(c_ptr) :: place
        place = c_null_ptr
        if (any_walls) place = c_loc(walls)
        if (self%bytes == 8) then
            status = c_solve_batch(self%handle, u%fields, f%first, f%strides, f%step, u%first, u%strides, u%step, &
                place, scale, stream)
        else
            status = c_solve_batch_float(self%handle, u%fields, f%first, f%strides, f%step, u%first, u%strides, u%step, &
                place, real(scale, c_float), stream)
        end if
    end function

    recursive function solver_apply(self, f, u, scale, stream) result(status)
        class(poisson3d_solver), intent(in) :: self
        type(array_view), intent(in) :: f, u
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in) :: stream
        integer :: status
        if (self%bytes == 8) then
            status = c_apply(self%handle, f%first, f%strides, u%first, u%strides, scale, stream)
        else
            status = c_apply_float(self%handle, f%first, f%strides, u%first, u%strides, real(scale, c_float), stream)
        end if
    end function

    recursive function solver_results(self, stream, results) result(status)
        class(poisson3d_solver), intent(in) :: self
        type(c_ptr), intent(in) :: stream
        type(c_result), intent(out) :: results(:)
        integer :: status
        if (self%bytes == 8) then
            status = c_get_results(self%handle, stream, results, size(results, kind=c_int64_t))
        else
            status = c_get_results_float(self%handle, stream, results, size(results, kind=c_int64_t))
        end if
    end function

    pure recursive function scale_or_one_r8(scale) result(factor)
        real(real64), intent(in), optional :: scale
        real(real64) :: factor
        factor = 1
        if (present(scale)) factor = scale
    end function

    pure recursive function scale_or_one_r4(scale) result(factor)
        real(real32), intent(in), optional :: scale
        real(real64) :: factor
        factor = 1
        if (present(scale)) factor = real(scale, real64)
    end function

    recursive subroutine solve_r8(self, f, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real64), intent(in), target :: f(:, :, :)
        real(real64), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(f), view(u), boundary, scale_or_one_r8(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine solve_r4(self, f, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real32), intent(in), target :: f(:, :, :)
        real(real32), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real32), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(f), view(u), boundary, scale_or_one_r4(scale), stat=stat, errmsg=errmsg)
    end subroutine

    ! Many right-hand sides: the last index is the field.
    recursive subroutine solve_batch_r8(self, f, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real64), intent(in), target :: f(:, :, :, :)
        real(real64), intent(inout), target :: u(:, :, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(f), view(u), boundary, scale_or_one_r8(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine solve_batch_r4(self, f, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real32), intent(in), target :: f(:, :, :, :)
        real(real32), intent(inout), target :: u(:, :, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real32), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(f), view(u), boundary, scale_or_one_r4(scale), stat=stat, errmsg=errmsg)
    end subroutine

    ! Overwrites the right-hand side with the solution. (solve(u, u) would alias what Fortran says must be apart.)
    recursive subroutine in_place_r8(self, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real64), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(u), view(u), boundary, scale_or_one_r8(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine in_place_r4(self, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real32), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real32), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(u), view(u), boundary, scale_or_one_r4(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine in_place_batch_r8(self, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real64), intent(inout), target :: u(:, :, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(u), view(u), boundary, scale_or_one_r8(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine in_place_batch_r4(self, u, boundary, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real32), intent(inout), target :: u(:, :, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real32), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view(u), view(u), boundary, scale_or_one_r4(scale), stat=stat, errmsg=errmsg)
    end subroutine

    ! Addresses of the host or of the device, of the first points of f and u: c_loc of host arrays, of what
    ! `host_data use_device` gives, c_devloc of CUDA Fortran. The same address twice solves in place. With fields in
    ! device memory the call returns at once and works on `stream`, a cudaStream_t.
    recursive subroutine solve_pointers(self, f, u, f_leading, u_leading, boundary, scale, stream, fields, f_step, u_step, stat, &
            errmsg)
        class(solver_of_arrays), intent(in) :: self
        type(c_ptr), intent(in) :: f, u
        integer(int64), intent(in), optional :: f_leading(2), u_leading(2)  ! extents 1, 2 of the arrays; default: no gaps
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        type(c_ptr), intent(in), optional :: stream
        integer(int64), intent(in), optional :: fields, f_step, u_step      ! of a batch; steps in elements
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run(self, view_of_pointer(self%points, f, f_leading, fields, f_step), &
            view_of_pointer(self%points, u, u_leading, fields, u_step), boundary, scale_or_one_r8(scale), stream, stat, &
            errmsg)
    end subroutine

    ! u := scale (laplacian - lambda) f through the transforms, boundary values zero: the inverse of a solve.
    recursive subroutine apply_r8(self, f, u, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real64), intent(in), target :: f(:, :, :)
        real(real64), intent(inout), target :: u(:, :, :)
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_apply(self, view(f), view(u), scale_or_one_r8(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine apply_r4(self, f, u, scale, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        real(real32), intent(in), target :: f(:, :, :)
        real(real32), intent(inout), target :: u(:, :, :)
        real(real32), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_apply(self, view(f), view(u), scale_or_one_r4(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine apply_pointers(self, f, u, f_leading, u_leading, scale, stream, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        type(c_ptr), intent(in) :: f, u
        integer(int64), intent(in), optional :: f_leading(2), u_leading(2)
        real(real64), intent(in), optional :: scale
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_apply(self, view_of_pointer(self%points, f, f_leading), &
            view_of_pointer(self%points, u, u_leading), scale_or_one_r8(scale), stream, stat, errmsg)
    end subroutine

    recursive subroutine run_apply(self, f, u, scale, stream, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        type(array_view), intent(in) :: f, u
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: place_on_stream
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint(self, f, "f")
        if (sentence == "") sentence = complaint(self, u, "u")
        if (sentence /= "") then
            call self%refuse()
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        status = self%call_apply(f, u, scale, place_on_stream)
        call finish(status, stat, errmsg)
    end subroutine

    ! Waits for the last solve on the stream; what it removed, for each field.
    recursive subroutine get_all_results(self, results, stream, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        type(poisson3d_result), intent(out) :: results(:)
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_result) :: c(size(results))
        type(c_ptr) :: place_on_stream
        integer :: status
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        status = self%call_results(place_on_stream, c)
        if (status == poisson3d_stat_ok) then
            results%singular = c%singular /= 0
            results%mean_removed = c%mean_removed
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! `walls`, and on free faces what the last solve found there: boundary data for poisson3d_measure_residual and
    ! gradients. Its arrays are the solver's until the next solve.
    recursive subroutine get_faces(self, faces, walls, stream, stat, errmsg)
        class(poisson3d_solver), intent(in) :: self
        type(poisson3d_boundary), intent(inout) :: faces
        type(poisson3d_boundary), intent(in), optional :: walls
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data, found
        type(c_ptr) :: place, place_on_stream
        character(:), allocatable :: sentence
        integer :: status, axis
        sentence = ""
        if (.not. c_associated(self%handle)) sentence = "there is no plan: call create before this"
        if (sentence == "") call boundary_for_c(self, walls, 1_int64, data, place, sentence)
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        found%bytes = c_sizeof(found)
        if (self%bytes == 8) then
            status = c_get_faces(self%handle, place, place_on_stream, found)
        else
            status = c_get_faces_float(self%handle, place, place_on_stream, found)
        end if
        if (status == poisson3d_stat_ok) then
            if (present(walls)) faces%arrays = walls%arrays
            do axis = 1, 3
                faces%faces(:, axis) = found%faces(:, 4 - axis)
            end do
        end if
        call finish(status, stat, errmsg)
    end subroutine

    recursive subroutine get_one_result(self, result, stream, stat, errmsg)
        class(solver_of_arrays), intent(in) :: self
        type(poisson3d_result), intent(out) :: result
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(poisson3d_result) :: all(1)
        call get_all_results(self, all, stream, stat, errmsg)
        result = all(1)
    end subroutine

    ! ---- Solvers that members share ----

    recursive subroutine create_threads(self, members, stat, errmsg)
        class(poisson3d_communicator), intent(inout) :: self
        integer, intent(in) :: members
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: handle
        integer :: status
        status = c_communicator_threads(members, handle)
        call self%take(handle, status, stat, errmsg)
    end subroutine

    ! A member on each of these GPUs, which are numbered from 0; one may stand several times. Fields are in the memory of
    ! each member's device.
    recursive subroutine create_devices(self, numbers, stat, errmsg)
        class(poisson3d_communicator), intent(inout) :: self
        integer, intent(in) :: numbers(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: handle
        integer :: status
        status = c_communicator_devices(int(numbers, c_int), size(numbers, kind=c_int), handle)
        call self%take(handle, status, stat, errmsg, on_devices=.true.)
    end subroutine

    ! What a call of C has made, and its status: for modules that make communicators of other kinds.
    recursive subroutine take_communicator(self, handle, status, stat, errmsg, on_devices)
        class(poisson3d_communicator), intent(inout) :: self
        type(c_ptr), intent(in) :: handle
        integer, intent(in) :: status
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        logical, intent(in), optional :: on_devices
        call self%destroy()
        self%on_devices = .false.
        if (present(on_devices)) self%on_devices = on_devices
        if (status == poisson3d_stat_ok) self%handle = handle
        call finish(status, stat, errmsg)
    end subroutine

    ! Solvers keep what they need of it.
    recursive subroutine destroy_communicator(self)
        class(poisson3d_communicator), intent(inout) :: self
        if (c_associated(self%handle)) call c_communicator_destroy(self%handle)
        self%handle = c_null_ptr
    end subroutine

    ! Plans on all members; the same arguments on all of them, but box_first and box_points. In the order of C, the last
    ! index of a field is the first axis; so members have
    !   planes             of slabs, of the last index, of each member, 0 allowed; default: as even as can be
    !   decomposition      poisson3d_decomposition_slabs (the default), _pencils, which are cut along the second index too,
    !                      in a grid near a square, or _automatic, slabs while there are planes for all, then pencils
    !   pencils            [p, q]: p × q pencils, the second index cut in p, the last one in q; member p·c + b (from 0)
    !                      is the b-th along the second index and the c-th along the last one (both from 0)
    !   second, last       points of the pencils along these indices, default: as even as can be
    !   order              of each member (from 0) the one whose box it has instead of its own
    !   box_first, box_points  of a rank: the indices (from 1) of its first point, and its points, whatever others have;
    !                      if boxes are neither slabs nor pencils, f and u travel to those of _automatic and back
    !   way                poisson3d_way_copies, _stores, _nccl, _staged, _passes or _mpi: how what members on GPUs send goes; else the
    !                      fastest of copies and stores, measured
    !   chunks             of members on GPUs that transpose: in how many a part is exchanged; 0: chosen by its size
    ! threads: of all members of this process together.
    recursive subroutine create_distributed(self, communicator, problem, planes, method, threads, batch, precision, stat, &
            errmsg, decomposition, pencils, second, last, order, box_first, box_points, way, chunks)
        class(poisson3d_distributed), intent(inout) :: self
        type(poisson3d_communicator), intent(in) :: communicator
        type(poisson3d_problem), intent(in), target :: problem
        integer(int64), intent(in), optional :: planes(:)
        integer, intent(in), optional :: method, threads
        integer(int64), intent(in), optional :: batch
        integer, intent(in), optional :: precision
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer, intent(in), optional :: decomposition, pencils(2)
        integer(int64), intent(in), optional :: second(:), last(:)
        integer, intent(in), optional :: order(:)
        integer(int64), intent(in), optional :: box_first(3), box_points(3)
        integer, intent(in), optional :: way, chunks
        type(c_distributed_options) :: options
        integer(c_int64_t), allocatable, target :: counts(:), rows(:), columns(:)
        integer(c_int), allocatable, target :: places(:)
        type(c_box), target :: box
        type(c_ptr) :: counts_place
        character(:), allocatable :: sentence
        integer(c_int) :: members, first, mine
        integer :: status
        call self%destroy()
        self%on_devices = communicator%on_devices
        call choose_precision(problem, precision, self%bytes, status, sentence)
        if (status == poisson3d_stat_ok .and. .not. c_associated(communicator%handle)) then
            status = poisson3d_stat_usage
            sentence = "there is no communicator: create it before this"
        end if
        if (status == poisson3d_stat_ok) then
            status = c_get_members(communicator%handle, members, first, mine)
            sentence = ""
            if (present(planes)) call want_numbers(size(planes, kind=int64), members, "planes of", sentence)
            if (present(order)) call want_numbers(size(order, kind=int64), members, "the order of", sentence)
            if (present(pencils)) then
                if (present(second)) call want_numbers(size(second, kind=int64), pencils(1), "second indices of", sentence)
                if (present(last)) call want_numbers(size(last, kind=int64), pencils(2), "last indices of", sentence)
            else if (present(second) .or. present(last)) then
                sentence = "found points of pencils, wanted how many pencils there are, in pencils"
            end if
            if (present(box_first) .neqv. present(box_points)) then
                sentence = "found one of box_first and box_points, wanted both or none"
            else if (present(box_first) .and. mine /= 1) then
                sentence = "found a box of one member, wanted none: "//number(int(mine, int64))// &
                    " members are of this process"
            end if
            if (sentence /= "") status = poisson3d_stat_usage
        end if
        if (status /= poisson3d_stat_ok) then
            if (c_associated(communicator%handle)) call ignore(c_communicator_refuse(communicator%handle, status))
            call finish(status, stat, errmsg, sentence)
            return
        end if
        options%bytes = c_sizeof(options)
        if (present(method)) options%method = method
        if (present(threads)) options%threads = threads
        if (present(batch)) options%batch = batch
        if (present(decomposition)) options%decomposition = decomposition
        if (present(way)) options%way = way
        if (present(chunks)) options%chunks = chunks
        counts_place = c_null_ptr
        if (present(planes)) then
            counts = planes
            counts_place = c_loc(counts)
        end if
        if (present(pencils)) then
            options%decomposition = poisson3d_decomposition_pencils
            options%columns = pencils(1)
            options%rows = pencils(2)
            if (present(second)) then
                columns = second
                options%column_points = c_loc(columns)
            end if
            if (present(last)) then
                rows = last
                options%row_points = c_loc(rows)
            end if
        end if
        if (present(order)) then
            places = order
            options%order = c_loc(places)
        end if
        if (present(box_first)) then
            box = c_box(box_first(3:1:-1) - 1, box_points(3:1:-1))
            options%decomposition = poisson3d_decomposition_own
            options%boxes = c_loc(box)
        end if
        if (self%bytes == 8) then
            self%free => c_distributed_destroy
            status = c_distributed_create(problem_for_c(problem), communicator%handle, counts_place, options, self%handle)
        else
            self%free => c_distributed_destroy_float
            status = c_distributed_create_float(problem_for_c(problem), communicator%handle, counts_place, options, &
                self%handle)
        end if
        if (status == poisson3d_stat_ok) call take_boxes(self, first, mine)
        call finish(status, stat, errmsg)
    end subroutine

    recursive subroutine want_numbers(found, wanted, what, sentence)
        integer(int64), intent(in) :: found
        integer, intent(in) :: wanted
        character(*), intent(in) :: what
        character(:), allocatable, intent(inout) :: sentence
        if (found /= wanted) sentence = "found "//what//" "//number(found)//" members, wanted "// &
            number(int(wanted, int64))
    end subroutine

    recursive subroutine ignore(status)
        integer(c_int), intent(in) :: status
        if (status < 0) continue
    end subroutine

    recursive subroutine take_boxes(self, first, mine)
        class(poisson3d_distributed), intent(inout) :: self
        integer(c_int), intent(in) :: first, mine
        type(c_box) :: boxes(mine)
        integer(c_int64_t) :: upper(3)
        integer :: m, status
        do m = 1, mine
            if (self%bytes == 8) then
                status = c_get_box(self%handle, first + m - 1, boxes(m))
            else
                status = c_get_box_float(self%handle, first + m - 1, boxes(m))
            end if
            if (status /= poisson3d_stat_ok) return
        end do
        self%first = boxes(1)%first
        upper = self%first + boxes(1)%points
        do m = 2, mine                                    ! they are all of the grid
            self%first = min(self%first, boxes(m)%first)
            upper = max(upper, boxes(m)%first + boxes(m)%points)
        end do
        self%points = upper(3:1:-1) - self%first(3:1:-1)
        if (allocated(self%begin)) deallocate (self%begin, self%boxes)
        allocate (self%begin(3, mine), self%boxes(3, mine))
        do m = 1, mine
            self%begin(:, m) = boxes(m)%first - self%first
            self%boxes(:, m) = boxes(m)%points(3:1:-1)
        end do
    end subroutine

    ! f and u of this process have the planes first to first + planes - 1 of the last axis.
    recursive subroutine get_planes(self, first, planes)
        class(poisson3d_distributed), intent(in) :: self
        integer(int64), intent(out) :: first, planes
        first = self%first(1) + 1
        planes = self%points(3)
    end subroutine

    ! They have the points first to first + points - 1 of each index.
    recursive subroutine get_box(self, first, points)
        class(poisson3d_distributed), intent(in) :: self
        integer(int64), intent(out) :: first(3), points(3)
        first = self%first(3:1:-1) + 1
        points = self%points
    end subroutine

    ! A member of this process, counted from 1, has the points first to first + points - 1 of each index of the whole box.
    recursive subroutine get_member_box(self, member, first, points, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        integer, intent(in) :: member
        integer(int64), intent(out) :: first(3), points(3)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer :: mine
        mine = 0
        first = 0
        points = 0
        if (c_associated(self%handle)) mine = size(self%begin, 2)
        if (member < 1 .or. member > mine) then
            call finish(poisson3d_stat_usage, stat, errmsg, "found member "//number(int(member, int64))//", wanted 1 to "// &
                number(int(mine, int64)))
            return
        end if
        first = self%first(3:1:-1) + self%begin(3:1:-1, member) + 1
        points = self%boxes(:, member)
        call finish(poisson3d_stat_ok, stat, errmsg)
    end subroutine

    ! Of members on GPUs: streams(m), a cudaStream_t on the device of member m, is where it works from now on; before, in
    ! the default streams. A solve in other streams than the one before must come after it, which is the caller's to see
    ! to.
    recursive subroutine set_streams(self, streams, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), contiguous, intent(in) :: streams(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer :: status
        sentence = miscounted(self, size(streams), "streams")
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
        else
            if (self%bytes == 8) then
                status = c_set_streams(self%handle, streams)
            else
                status = c_set_streams_float(self%handle, streams)
            end if
            call finish(status, stat, errmsg)
        end if
    end subroutine

    ! Why there cannot be as many of them; empty if there can.
    recursive function miscounted(self, found, what) result(sentence)
        class(poisson3d_distributed), intent(in) :: self
        integer, intent(in) :: found
        character(*), intent(in) :: what
        character(:), allocatable :: sentence
        sentence = ""
        if (.not. c_associated(self%handle)) then
            sentence = "there is no plan: call create before this"
        else if (found /= size(self%begin, 2)) then
            sentence = "found "//number(int(found, int64))//" "//what//", wanted one for each of "// &
                number(size(self%begin, 2, kind=int64))//" members"
        end if
    end function

    ! What is refused before any call of C: the other members get to know.
    recursive subroutine refuse_alone(self)
        class(solver_of_arrays), intent(in) :: self
        if (c_associated(self%handle)) continue           ! there are no others
    end subroutine

    recursive subroutine refuse_distributed(self)
        class(poisson3d_distributed), intent(in) :: self
        if (.not. c_associated(self%handle)) return
        if (self%bytes == 8) then
            call ignore(c_distributed_refuse(self%handle, poisson3d_stat_usage))
        else
            call ignore(c_distributed_refuse_float(self%handle, poisson3d_stat_usage))
        end if
    end subroutine

    recursive subroutine read_info(self, c, status)
        class(poisson3d_distributed), intent(in) :: self
        type(c_distributed_info), intent(out) :: c
        integer, intent(out) :: status
        c%bytes = c_sizeof(c)
        if (self%bytes == 8) then
            status = c_distributed_get_info(self%handle, c)
        else
            status = c_distributed_get_info_float(self%handle, c)
        end if
    end subroutine

    recursive subroutine get_distributed_info(self, info, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        type(poisson3d_info), intent(out) :: info
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_distributed_info) :: c
        integer :: status
        if (.not. c_associated(self%handle)) then
            call finish(poisson3d_stat_usage, stat, errmsg, "there is no plan: call create before this")
            return
        end if
        call read_info(self, c, status)
        if (status == poisson3d_stat_ok) then
            info%engine = merge(poisson3d_engine_fused, poisson3d_engine_host, self%on_devices)
            info%memory = poisson3d_memory_fast
            info%threads = c%threads
            info%workspace_bytes = int(c%workspace_bytes, int64)
            info%batch = c%batch
            info%engine_name = "host"
            if (self%on_devices) info%engine_name = "fused"
            info%memory_name = "fast"
            info%description = text_of(c%description)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! The messages of a solve of one field between all members, and the bytes in them; with `member`, counted from 1 (a
    ! rank + 1), those that it sends. What passes store where it is needed has bytes and no messages.
    recursive subroutine get_traffic(self, messages, bytes, member, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        integer(int64), intent(out) :: messages
        real(real64), intent(out) :: bytes
        integer, intent(in), optional :: member
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_distributed_info) :: c
        integer(c_int64_t) :: count
        real(c_double) :: sum
        integer :: status
        messages = 0
        bytes = 0
        if (.not. c_associated(self%handle)) then
            call finish(poisson3d_stat_usage, stat, errmsg, "there is no plan: call create before this")
            return
        end if
        if (present(member)) then
            if (self%bytes == 8) then
                status = c_get_sent(self%handle, member - 1, count, sum)
            else
                status = c_get_sent_float(self%handle, member - 1, count, sum)
            end if
        else
            call read_info(self, c, status)
            count = c%messages
            sum = c%message_bytes
        end if
        if (status == poisson3d_stat_ok) then
            messages = count
            bytes = sum
        else if (present(member)) then                    ! C counts from 0
            call finish(status, stat, errmsg, "found member "//number(int(member, int64))// &
                ", wanted one of the communicator, counted from 1")
            return
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! The address so many elements on; null stays null.
    recursive function moved(from, elements, bytes) result(to)
        type(c_ptr), intent(in) :: from
        integer(int64), intent(in) :: elements
        integer, intent(in) :: bytes
        type(c_ptr) :: to
        to = from
        if (c_associated(from)) to = transfer(transfer(from, 0_c_intptr_t) + elements*bytes, to)
    end function

    ! Of each of my members.
    recursive function parts_of(self, array) result(places)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: array
        type(c_ptr) :: places(size(self%begin, 2))
        integer :: m
        do m = 1, size(places)
            places(m) = moved(array%first, sum(self%begin(:, m)*array%strides), self%bytes)
        end do
    end function

    ! What each of my members has of the boundary data of all, if there are any; parts must outlive the addresses.
    recursive subroutine share_walls(self, any_walls, walls, parts, places)
        class(poisson3d_distributed), intent(in) :: self
        logical, intent(in) :: any_walls
        type(c_boundary), intent(in) :: walls
        type(c_boundary), intent(inout), target :: parts(:)
        type(c_ptr), intent(out) :: places(:)
        integer :: m, axis, side
        places = c_null_ptr
        do m = 1, merge(size(parts), 0, any_walls)
            parts(m) = walls
            do axis = 1, 3                                ! in C's order, as the rows and columns of faces
                do side = 1, 2
                    associate (face => parts(m)%faces(side, axis), row => self%begin(merge(2, 1, axis == 1), m), &
                            column => self%begin(merge(2, 3, axis == 3), m))
                        face%data = moved(face%data, row*face%stride + column, self%bytes)
                    end associate
                end do
            end do
            places(m) = c_loc(parts(m))
        end do
    end subroutine

    recursive function distributed_solve(self, f, u, any_walls, walls, scale, stream) result(status)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: f, u
        logical, intent(in) :: any_walls
        type(c_boundary), intent(in), target :: walls
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in) :: stream
        integer :: status
        type(c_boundary), target :: parts(size(self%begin, 2))
        type(c_ptr) :: places(size(self%begin, 2))
        if (c_associated(stream)) continue            ! fields in host memory have none
        call share_walls(self, any_walls, walls, parts, places)
        status = solve_places(self, f, u, parts_of(self, f), parts_of(self, u), places, scale)
    end function

    ! The first points of members' parts of f and u, whose strides, steps and number the views have. The only place that calls
    ! these functions of C: gfortran 12 forgets in a second one that their arguments are values.
    recursive function solve_places(self, f, u, from, to, boundaries, scale) result(status)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: f, u
        type(c_ptr), contiguous, intent(in) :: from(:), to(:), boundaries(:)
        real(real64), intent(in) :: scale
        integer :: status
        if (self%bytes == 8) then
            status = c_distributed_solve(self%handle, u%fields, from, f%strides, f%step, to, u%strides, u%step, boundaries, &
                scale)
        else
            status = c_distributed_solve_float(self%handle, u%fields, from, f%strides, f%step, to, u%strides, u%step, &
                boundaries, real(scale, c_float))
        end if
    end function

    recursive function distributed_apply(self, f, u, scale, stream) result(status)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: f, u
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in) :: stream
        integer :: status
        if (c_associated(stream)) continue
        status = apply_places(self, f, u, parts_of(self, f), parts_of(self, u), scale)
    end function

    recursive function apply_places(self, f, u, from, to, scale) result(status)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: f, u
        type(c_ptr), contiguous, intent(in) :: from(:), to(:)
        real(real64), intent(in) :: scale
        integer :: status
        if (self%bytes == 8) then
            status = c_distributed_apply(self%handle, from, f%strides, to, u%strides, scale)
        else
            status = c_distributed_apply_float(self%handle, from, f%strides, to, u%strides, real(scale, c_float))
        end if
    end function

    ! The same with an address for each member of this process: f(m) and u(m) are those of the first points of member m's
    ! part, on GPUs in the memory of its device, and so are arrays of boundary(m), the data of the parts of faces that it
    ! touches. f_leading, u_leading: extents 1, 2 of the arrays that the parts lie in, default: no gaps. fields, f_step,
    ! u_step: of a batch, steps in elements, the same for all members; default: those of the member with most planes.
    ! Members on GPUs work in their streams (set_streams): the call returns when all is launched, get_result waits.
    recursive subroutine solve_parts(self, f, u, f_leading, u_leading, boundary, scale, fields, f_step, u_step, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), contiguous, intent(in) :: f(:), u(:)
        integer(int64), intent(in), optional :: f_leading(2), u_leading(2)
        type(poisson3d_boundary), intent(in), optional :: boundary(:)
        real(real64), intent(in), optional :: scale
        integer(int64), intent(in), optional :: fields, f_step, u_step
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: parts(size(f))
        type(c_ptr) :: places(size(f)), data_place
        type(array_view) :: from, to
        character(:), allocatable :: sentence
        integer :: m
        sentence = miscounted(self, size(f), "addresses of f")
        if (sentence == "") sentence = miscounted(self, size(u), "addresses of u")
        if (sentence == "" .and. present(boundary)) sentence = miscounted(self, size(boundary), "boundaries")
        places = c_null_ptr
        if (sentence == "") then
            from = view_of_part(self, f_leading, fields, f_step)
            to = view_of_part(self, u_leading, fields, u_step)
            do m = 1, merge(size(f), 0, present(boundary))
                call boundary_for_c(self, boundary(m), to%fields, parts(m), data_place, sentence, self%boxes(:, m))
                if (sentence /= "") exit
                places(m) = c_loc(parts(m))
            end do
        end if
        if (sentence /= "") then
            call self%refuse()
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        call finish(solve_places(self, from, to, f, u, places, scale_or_one_r8(scale)), stat, errmsg)
    end subroutine

    recursive subroutine apply_parts(self, f, u, f_leading, u_leading, scale, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), contiguous, intent(in) :: f(:), u(:)
        integer(int64), intent(in), optional :: f_leading(2), u_leading(2)
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer :: status
        sentence = miscounted(self, size(f), "addresses of f")
        if (sentence == "") sentence = miscounted(self, size(u), "addresses of u")
        if (sentence /= "") then
            call self%refuse()
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        status = apply_places(self, view_of_part(self, f_leading), view_of_part(self, u_leading), f, u, scale_or_one_r8(scale))
        call finish(status, stat, errmsg)
    end subroutine

    ! dx, dy, dz := derivatives of u along axes 1, 2, 3, in what this process has; arrays of one layout. `boundary`: what u
    ! was solved with; where faces are free, u is the solution of the last solve. The first call plans, and takes memory.
    recursive subroutine gradient_r8(self, u, dx, dy, dz, boundary, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        real(real64), intent(in), target :: u(:, :, :)
        real(real64), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_gradient(self, view(u), view(dx), view(dy), view(dz), boundary, stat, errmsg)
    end subroutine

    recursive subroutine gradient_r4(self, u, dx, dy, dz, boundary, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        real(real32), intent(in), target :: u(:, :, :)
        real(real32), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_gradient(self, view(u), view(dx), view(dy), view(dz), boundary, stat, errmsg)
    end subroutine

    ! The same of the solution of (∇² − λ) u = scale · f (poisson3d_distributed_gradient_with_source).
    recursive subroutine gradient_with_source_r8(self, u, f, dx, dy, dz, scale, boundary, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        real(real64), intent(in), target :: u(:, :, :), f(:, :, :)
        real(real64), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        real(real64), intent(in), optional :: scale
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_gradient(self, view(u), view(dx), view(dy), view(dz), boundary, stat, errmsg, view(f), &
            scale_or_one_r8(scale))
    end subroutine

    recursive subroutine gradient_with_source_r4(self, u, f, dx, dy, dz, scale, boundary, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        real(real32), intent(in), target :: u(:, :, :), f(:, :, :)
        real(real32), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        real(real32), intent(in), optional :: scale
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_gradient(self, view(u), view(dx), view(dy), view(dz), boundary, stat, errmsg, view(f), &
            scale_or_one_r4(scale))
    end subroutine

    recursive subroutine run_gradient(self, u, dx, dy, dz, boundary, stat, errmsg, f, scale)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: u, dx, dy, dz
        type(array_view), intent(in), optional :: f
        real(real64), intent(in), optional :: scale
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data
        type(c_boundary), allocatable, target :: parts(:)
        type(c_ptr), allocatable :: places(:)
        type(c_ptr) :: data_place
        character(:), allocatable :: sentence
        sentence = complaint_of_gradient(self, u, dx, dy, dz, f)
        if (sentence == "") call boundary_for_c(self, boundary, 1_int64, data, data_place, sentence)
        if (sentence /= "") then
            call self%refuse()
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        allocate (parts(size(self%begin, 2)), places(size(self%begin, 2)))
        call share_walls(self, c_associated(data_place), data, parts, places)
        if (present(f)) then
            call finish(gradient_places(self, u, dx, parts_of(self, u), parts_of(self, dx), parts_of(self, dy), &
                parts_of(self, dz), places, f, parts_of(self, f), scale), stat, errmsg)
        else
            call finish(gradient_places(self, u, dx, parts_of(self, u), parts_of(self, dx), parts_of(self, dy), &
                parts_of(self, dz), places), stat, errmsg)
        end if
    end subroutine

    recursive function gradient_places(self, u, component, from, dx, dy, dz, boundaries, f, source, scale) result(status)
        class(poisson3d_distributed), intent(in) :: self
        type(array_view), intent(in) :: u, component
        type(c_ptr), contiguous, intent(in) :: from(:), dx(:), dy(:), dz(:), boundaries(:)
        type(array_view), intent(in), optional :: f
        type(c_ptr), contiguous, intent(in), optional :: source(:)
        real(real64), intent(in), optional :: scale
        type(c_ptr) :: components(3*size(from))
        integer :: status, m
        do m = 1, size(from)
            components(3*m - 2:3*m) = [dz(m), dy(m), dx(m)]
        end do
        if (present(source) .and. self%bytes == 8) then
            status = c_distributed_source(self%handle, from, u%strides, source, f%strides, scale, components, &
                component%strides, boundaries)
        else if (present(source)) then
            status = c_distributed_source_float(self%handle, from, u%strides, source, f%strides, real(scale, real32), &
                components, component%strides, boundaries)
        else if (self%bytes == 8) then
            status = c_distributed_gradient(self%handle, from, u%strides, components, component%strides, boundaries)
        else
            status = c_distributed_gradient_float(self%handle, from, u%strides, components, component%strides, boundaries)
        end if
    end function

    ! The same with an address for each member of this process, as in solve; a null component is left out, `leading` are
    ! the extents 1, 2 of the arrays that components lie in.
    recursive subroutine gradient_parts(self, u, dx, dy, dz, u_leading, leading, boundary, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), contiguous, intent(in) :: u(:), dx(:), dy(:), dz(:)
        integer(int64), intent(in), optional :: u_leading(2), leading(2)
        type(poisson3d_boundary), intent(in), optional :: boundary(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_gradient_parts(self, u, dx, dy, dz, u_leading, leading, boundary, stat, errmsg)
    end subroutine

    recursive subroutine gradient_with_source_parts(self, u, f, dx, dy, dz, scale, u_leading, f_leading, leading, &
        boundary, stat, errmsg)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), contiguous, intent(in) :: u(:), f(:), dx(:), dy(:), dz(:)
        real(real64), intent(in), optional :: scale
        integer(int64), intent(in), optional :: u_leading(2), f_leading(2), leading(2)
        type(poisson3d_boundary), intent(in), optional :: boundary(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_gradient_parts(self, u, dx, dy, dz, u_leading, leading, boundary, stat, errmsg, f, f_leading, scale)
    end subroutine

    recursive subroutine run_gradient_parts(self, u, dx, dy, dz, u_leading, leading, boundary, stat, errmsg, f, &
        f_leading, scale)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), contiguous, intent(in) :: u(:), dx(:), dy(:), dz(:)
        type(c_ptr), contiguous, intent(in), optional :: f(:)
        real(real64), intent(in), optional :: scale
        integer(int64), intent(in), optional :: u_leading(2), f_leading(2), leading(2)
        type(poisson3d_boundary), intent(in), optional :: boundary(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: parts(size(u))
        type(c_ptr) :: places(size(u)), data_place
        character(:), allocatable :: sentence
        integer :: m
        sentence = miscounted(self, size(u), "addresses of u")
        if (sentence == "" .and. present(f)) sentence = miscounted(self, size(f), "addresses of f")
        if (sentence == "") sentence = miscounted(self, size(dx), "addresses of dx")
        if (sentence == "") sentence = miscounted(self, size(dy), "addresses of dy")
        if (sentence == "") sentence = miscounted(self, size(dz), "addresses of dz")
        if (sentence == "" .and. present(boundary)) sentence = miscounted(self, size(boundary), "boundaries")
        places = c_null_ptr
        if (sentence == "") then
            do m = 1, merge(size(u), 0, present(boundary))
                call boundary_for_c(self, boundary(m), 1_int64, parts(m), data_place, sentence, self%boxes(:, m))
                if (sentence /= "") exit
                places(m) = c_loc(parts(m))
            end do
        end if
        if (sentence /= "") then
            call self%refuse()
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        call finish(gradient_places(self, view_of_part(self, u_leading), view_of_part(self, leading), u, dx, dy, dz, &
            places, view_of_part(self, f_leading), f, scale_or_one_r8(scale)), stat, errmsg)
    end subroutine

    ! The strides that the parts of all members have.
    recursive function view_of_part(self, leading, fields, step) result(found)
        class(poisson3d_distributed), intent(in) :: self
        integer(int64), intent(in), optional :: leading(2), fields, step
        type(array_view) :: found
        integer(int64) :: points(3)
        points = maxval(self%boxes, 2)
        found = view_of_pointer(points, c_null_ptr, leading, fields, step)
    end function

    recursive function distributed_results(self, stream, results) result(status)
        class(poisson3d_distributed), intent(in) :: self
        type(c_ptr), intent(in) :: stream
        type(c_result), intent(out) :: results(:)
        integer :: status
        if (c_associated(stream)) continue
        if (self%bytes == 8) then
            status = c_distributed_get_results(self%handle, results, size(results, kind=c_int64_t))
        else
            status = c_distributed_get_results_float(self%handle, results, size(results, kind=c_int64_t))
        end if
    end function

    ! ---- Boundary data ----

    recursive subroutine set_constant_r8(self, axis, side, value, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        real(real64), intent(in) :: value
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call set_face(self, axis, side, c_face(constant=value), array_view(), stat, errmsg)
    end subroutine

    recursive subroutine set_constant_r4(self, axis, side, value, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        real(real32), intent(in) :: value
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call set_face(self, axis, side, c_face(constant=real(value, real64)), array_view(), stat, errmsg)
    end subroutine

    recursive subroutine set_array_r8(self, axis, side, values, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        real(real64), intent(in), target :: values(:, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: array
        array = view(values)
        call set_face(self, axis, side, c_face(data=array%first, stride=array%strides(3)), array, stat, errmsg)
    end subroutine

    recursive subroutine set_array_r4(self, axis, side, values, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        real(real32), intent(in), target :: values(:, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: array
        array = view(values)
        call set_face(self, axis, side, c_face(data=array%first, stride=array%strides(3)), array, stat, errmsg)
    end subroutine

    recursive subroutine set_arrays_r8(self, axis, side, values, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        real(real64), intent(in), target :: values(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call set_faces(self, axis, side, view(values), stat, errmsg)
    end subroutine

    recursive subroutine set_arrays_r4(self, axis, side, values, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        real(real32), intent(in), target :: values(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call set_faces(self, axis, side, view(values), stat, errmsg)
    end subroutine

    ! An array of rank 3: the last index is the field.
    recursive subroutine set_faces(self, axis, side, arrays, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        type(array_view), intent(in) :: arrays
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: array
        array = arrays
        array%fields = arrays%extents(3)
        array%extents(3) = 0
        call set_face(self, axis, side, c_face(data=arrays%first, stride=arrays%strides(2), &
            field_stride=arrays%strides(1)), array, stat, errmsg)
    end subroutine

    ! An address, where the fields are: host or device. leading: the first extent of the array it lies in, 0: no gaps;
    ! step: elements from one field's array to the next, 0: one for all.
    recursive subroutine set_pointer(self, axis, side, values, leading, step, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        type(c_ptr), intent(in) :: values
        integer(int64), intent(in), optional :: leading, step
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_face) :: face
        face%data = values
        if (present(leading)) face%stride = leading
        if (present(step)) face%field_stride = step
        call set_face(self, axis, side, face, array_view(), stat, errmsg)
    end subroutine

    recursive subroutine set_face(self, axis, side, face, array, stat, errmsg)
        class(poisson3d_boundary), intent(inout) :: self
        integer, intent(in) :: axis, side
        type(c_face), intent(in) :: face
        type(array_view), intent(in) :: array
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        if (axis < 1 .or. axis > 3) then
            call finish(poisson3d_stat_usage, stat, errmsg, "found axis "//number(int(axis, int64))//", wanted 1 to 3")
        else if (side /= poisson3d_lower .and. side /= poisson3d_upper) then
            call finish(poisson3d_stat_usage, stat, errmsg, "found side "//number(int(side, int64))// &
                ", wanted poisson3d_lower or poisson3d_upper")
        else if (array%apart /= 1) then
            call finish(poisson3d_stat_usage, stat, errmsg, &
                "an array of boundary data has gaps between the elements of its first index, wanted none there")
        else
            self%faces(side, axis) = face
            self%arrays(side, axis) = array
            call finish(poisson3d_stat_ok, stat, errmsg)
        end if
    end subroutine

    ! In C's words, and checked against the plan; place is null if there is no data. of: the points whose faces they are,
    ! if not those of the plan.
    recursive subroutine boundary_for_c(self, boundary, fields, data, place, sentence, of)
        class(plan), intent(in) :: self
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer(int64), intent(in) :: fields
        type(c_boundary), intent(out), target :: data
        type(c_ptr), intent(out) :: place
        character(:), allocatable, intent(out) :: sentence
        integer(int64), intent(in), optional :: of(3)
        integer(int64) :: points(3), wanted(2)
        integer :: axis, side
        sentence = ""
        points = self%points
        if (present(of)) points = of
        place = c_null_ptr
        data%bytes = c_sizeof(data)
        if (.not. present(boundary)) return
        place = c_loc(data)
        do axis = 1, 3
            wanted = pack(points, [1, 2, 3] /= axis)
            do side = 1, 2
                data%faces(side, 4 - axis) = boundary%faces(side, axis)
                associate (array => boundary%arrays(side, axis))
                    if (array%bytes == 0) cycle
                    if (array%bytes /= self%bytes) then
                        sentence = "boundary data of axis "//number(int(axis, int64))//" is of real"// &
                            number(8_int64*array%bytes)//", the plan is for real"//number(8_int64*self%bytes)
                    else if (any(array%extents(1:2) /= wanted) .and. product(wanted) > 0) then
                        sentence = "boundary data of axis "//number(int(axis, int64))//" has shape "// &
                            shape_text(array%extents(1:2))//", wanted "//shape_text(wanted)
                    else if (array%fields /= 1 .and. array%fields /= fields) then
                        sentence = "boundary data of axis "//number(int(axis, int64))//" is for "// &
                            number(array%fields)//" fields, the solve has "//number(fields)
                    end if
                end associate
            end do
        end do
    end subroutine

    ! ---- Gradient ----

    recursive subroutine create_gradient(self, problem, options, precision, stat, errmsg)
        class(poisson3d_gradient), intent(inout) :: self
        type(poisson3d_problem), intent(in), target :: problem
        type(poisson3d_options), intent(in), optional :: options
        integer, intent(in), optional :: precision
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer :: status
        call self%destroy()
        call choose_precision(problem, precision, self%bytes, status, sentence)
        if (status /= poisson3d_stat_ok) then
            call finish(status, stat, errmsg, sentence)
            return
        end if
        self%points = problem%axes%points
        if (self%bytes == 8) then
            self%free => c_gradient_destroy
            self%inform => c_gradient_get_info
            status = c_gradient_create(problem_for_c(problem), options_for_c(options), self%handle)
        else
            self%free => c_gradient_destroy_float
            self%inform => c_gradient_get_info_float
            status = c_gradient_create_float(problem_for_c(problem), options_for_c(options), self%handle)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! dx, dy, dz := derivatives of u along axes 1, 2, 3; arrays of one layout.
    recursive subroutine run_evaluate(self, u, dx, dy, dz, boundary, stream, stat, errmsg, f, scale)
        class(poisson3d_gradient), intent(in) :: self
        type(array_view), intent(in) :: u, dx, dy, dz
        type(array_view), intent(in), optional :: f
        real(real64), intent(in), optional :: scale
        type(poisson3d_boundary), intent(in), optional :: boundary
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data
        type(c_ptr) :: data_place, place_on_stream
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint_of_gradient(self, u, dx, dy, dz, f)
        if (sentence == "") call boundary_for_c(self, boundary, 1_int64, data, data_place, sentence)
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        if (present(f) .and. self%bytes == 8) then
            status = c_evaluate_with_source(self%handle, u%first, u%strides, f%first, f%strides, scale, &
                [dz%first, dy%first, dx%first], dx%strides, data_place, place_on_stream)
        else if (present(f)) then
            status = c_evaluate_with_source_float(self%handle, u%first, u%strides, f%first, f%strides, &
                real(scale, real32), [dz%first, dy%first, dx%first], dx%strides, data_place, place_on_stream)
        else if (self%bytes == 8) then
            status = c_evaluate(self%handle, u%first, u%strides, [dz%first, dy%first, dx%first], dx%strides, &
                data_place, place_on_stream)
        else
            status = c_evaluate_float(self%handle, u%first, u%strides, [dz%first, dy%first, dx%first], dx%strides, &
                data_place, place_on_stream)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    recursive subroutine evaluate_r8(self, u, dx, dy, dz, boundary, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        real(real64), intent(in), target :: u(:, :, :)
        real(real64), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_evaluate(self, view(u), view(dx), view(dy), view(dz), boundary, stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine evaluate_r4(self, u, dx, dy, dz, boundary, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        real(real32), intent(in), target :: u(:, :, :)
        real(real32), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_evaluate(self, view(u), view(dx), view(dy), view(dz), boundary, stat=stat, errmsg=errmsg)
    end subroutine

    ! The same of the solution of (∇² − λ) u = scale · f (poisson3d_gradient_evaluate_with_source).
    recursive subroutine evaluate_with_source_r8(self, u, f, dx, dy, dz, scale, boundary, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        real(real64), intent(in), target :: u(:, :, :), f(:, :, :)
        real(real64), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        real(real64), intent(in), optional :: scale
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_evaluate(self, view(u), view(dx), view(dy), view(dz), boundary, stat=stat, errmsg=errmsg, &
            f=view(f), scale=scale_or_one_r8(scale))
    end subroutine

    recursive subroutine evaluate_with_source_r4(self, u, f, dx, dy, dz, scale, boundary, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        real(real32), intent(in), target :: u(:, :, :), f(:, :, :)
        real(real32), intent(inout), target :: dx(:, :, :), dy(:, :, :), dz(:, :, :)
        real(real32), intent(in), optional :: scale
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_evaluate(self, view(u), view(dx), view(dy), view(dz), boundary, stat=stat, errmsg=errmsg, &
            f=view(f), scale=scale_or_one_r4(scale))
    end subroutine

    ! gradient(:, :, :, a) := derivative of u along axis a.
    recursive subroutine evaluate_rank4_r8(self, u, gradient, boundary, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        real(real64), intent(in), target :: u(:, :, :)
        real(real64), intent(inout), target :: gradient(:, :, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        if (size(gradient, 4) /= 3) then
            call finish(poisson3d_stat_usage, stat, errmsg, "array gradient has "// &
                number(size(gradient, 4, int64))//" components, wanted 3")
            return
        end if
        call evaluate_r8(self, u, gradient(:, :, :, 1), gradient(:, :, :, 2), gradient(:, :, :, 3), boundary, stat, &
            errmsg)
    end subroutine

    recursive subroutine evaluate_rank4_r4(self, u, gradient, boundary, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        real(real32), intent(in), target :: u(:, :, :)
        real(real32), intent(inout), target :: gradient(:, :, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        if (size(gradient, 4) /= 3) then
            call finish(poisson3d_stat_usage, stat, errmsg, "array gradient has "// &
                number(size(gradient, 4, int64))//" components, wanted 3")
            return
        end if
        call evaluate_r4(self, u, gradient(:, :, :, 1), gradient(:, :, :, 2), gradient(:, :, :, 3), boundary, stat, &
            errmsg)
    end subroutine

    ! Addresses of the host or of the device, as in solve; a null component is left out.
    recursive subroutine evaluate_pointers(self, u, dx, dy, dz, u_leading, leading, boundary, stream, stat, errmsg)
        class(poisson3d_gradient), intent(in) :: self
        type(c_ptr), intent(in) :: u, dx, dy, dz
        integer(int64), intent(in), optional :: u_leading(2), leading(2)
        type(poisson3d_boundary), intent(in), optional :: boundary
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_evaluate(self, view_of_pointer(self%points, u, u_leading), &
            view_of_pointer(self%points, dx, leading), view_of_pointer(self%points, dy, leading), &
            view_of_pointer(self%points, dz, leading), boundary, stream, stat, errmsg)
    end subroutine

    ! ---- Mixed precision ----

    ! refinements: 0 to 8; absent: as many as the accuracy of real64 takes.
    recursive subroutine create_mixed(self, problem, options, refinements, stat, errmsg)
        class(poisson3d_mixed), intent(inout) :: self
        type(poisson3d_problem), intent(in), target :: problem
        type(poisson3d_options), intent(in), optional :: options
        integer, intent(in), optional :: refinements
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer(c_int) :: wanted
        integer :: status
        call self%destroy()
        call check_problem(problem, status, sentence)
        if (status /= poisson3d_stat_ok) then
            call finish(status, stat, errmsg, sentence)
            return
        end if
        self%points = problem%axes%points
        self%free => c_mixed_destroy
        self%inform => c_mixed_get_info
        wanted = -1
        if (present(refinements)) wanted = refinements
        status = c_mixed_create(problem_for_c(problem), options_for_c(options), wanted, self%handle)
        call finish(status, stat, errmsg)
    end subroutine

    recursive subroutine mixed_bytes(problem, bytes, options, stat, errmsg)
        type(poisson3d_problem), intent(in), target :: problem
        integer(int64), intent(out) :: bytes
        type(poisson3d_options), intent(in), optional :: options
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_size_t) :: found
        integer :: status
        status = c_mixed_bytes(problem_for_c(problem), options_for_c(options), found)
        bytes = 0
        if (status == poisson3d_stat_ok) bytes = int(found, int64)
        call finish(status, stat, errmsg)
    end subroutine

    recursive subroutine run_mixed(self, f, u, boundary, scale, stream, stat, errmsg)
        class(poisson3d_mixed), intent(in) :: self
        type(array_view), intent(in) :: f, u
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in) :: scale
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data
        type(c_ptr) :: data_place, place_on_stream
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint(self, f, "f")
        if (sentence == "") sentence = complaint(self, u, "u")
        if (sentence == "") call boundary_for_c(self, boundary, 1_int64, data, data_place, sentence)
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        status = c_mixed_solve(self%handle, f%first, f%strides, u%first, u%strides, data_place, scale, place_on_stream)
        call finish(status, stat, errmsg)
    end subroutine

    ! f and u must be apart.
    recursive subroutine mixed_solve_arrays(self, f, u, boundary, scale, stat, errmsg)
        class(poisson3d_mixed), intent(in) :: self
        real(real64), intent(in), target :: f(:, :, :)
        real(real64), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_mixed(self, view(f), view(u), boundary, scale_or_one_r8(scale), stat=stat, errmsg=errmsg)
    end subroutine

    recursive subroutine mixed_solve_pointers(self, f, u, f_leading, u_leading, boundary, scale, stream, stat, errmsg)
        class(poisson3d_mixed), intent(in) :: self
        type(c_ptr), intent(in) :: f, u
        integer(int64), intent(in), optional :: f_leading(2), u_leading(2)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_mixed(self, view_of_pointer(self%points, f, f_leading), &
            view_of_pointer(self%points, u, u_leading), boundary, scale_or_one_r8(scale), stream, stat, errmsg)
    end subroutine

    recursive subroutine mixed_get_result(self, result, stream, stat, errmsg)
        class(poisson3d_mixed), intent(in) :: self
        type(poisson3d_result), intent(out) :: result
        type(c_ptr), intent(in), optional :: stream
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_result) :: c
        type(c_ptr) :: place_on_stream
        integer :: status
        place_on_stream = c_null_ptr
        if (present(stream)) place_on_stream = stream
        status = c_mixed_get_result(self%handle, place_on_stream, c)
        if (status == poisson3d_stat_ok) result = poisson3d_result(c%singular /= 0, c%mean_removed)
        call finish(status, stat, errmsg)
    end subroutine

    ! ---- Variable coefficients ----

    ! scaling: 0 to 1; absent: as suits the coefficient.
    recursive subroutine create_variable(self, problem, options, scaling, precision, stat, errmsg)
        class(poisson3d_variable), intent(inout) :: self
        type(poisson3d_problem), intent(in), target :: problem
        type(poisson3d_options), intent(in), optional :: options
        real(real64), intent(in), optional :: scaling
        integer, intent(in), optional :: precision
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        real(c_double) :: wanted
        integer :: status
        call self%destroy()
        call choose_precision(problem, precision, self%bytes, status, sentence)
        if (status /= poisson3d_stat_ok) then
            call finish(status, stat, errmsg, sentence)
            return
        end if
        self%points = problem%axes%points
        wanted = -1
        if (present(scaling)) wanted = scaling
        if (self%bytes == 8) then
            self%free => c_variable_destroy
            self%inform => c_variable_get_info
            status = c_variable_create(problem_for_c(problem), options_for_c(options), wanted, self%handle)
        else
            self%free => c_variable_destroy_float
            self%inform => c_variable_get_info_float
            status = c_variable_create_float(problem_for_c(problem), options_for_c(options), wanted, self%handle)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! The most it takes with any coefficient.
    recursive subroutine variable_bytes(problem, bytes, options, precision, stat, errmsg)
        type(poisson3d_problem), intent(in), target :: problem
        integer(int64), intent(out) :: bytes
        type(poisson3d_options), intent(in), optional :: options
        integer, intent(in), optional :: precision
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer(c_size_t) :: found
        integer :: element, status
        bytes = 0
        call choose_precision(problem, precision, element, status, sentence)
        if (status /= poisson3d_stat_ok) then
            call finish(status, stat, errmsg, sentence)
            return
        end if
        if (element == 8) then
            status = c_variable_bytes(problem_for_c(problem), options_for_c(options), found)
        else
            status = c_variable_bytes_float(problem_for_c(problem), options_for_c(options), found)
        end if
        if (status == poisson3d_stat_ok) bytes = int(found, int64)
        call finish(status, stat, errmsg)
    end subroutine

    ! epsilon at the points, above 0; helmholtz: lambda there, 0 or above, in the place of that of the problem. Copied.
    recursive subroutine set_coefficient_r8(self, epsilon, helmholtz, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real64), intent(in), target :: epsilon(:, :, :)
        real(real64), intent(in), target, optional :: helmholtz(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: lambda
        if (present(helmholtz)) lambda = view(helmholtz)
        call run_set_coefficient(self, view(epsilon), lambda, present(helmholtz), stat, errmsg)
    end subroutine

    recursive subroutine set_coefficient_r4(self, epsilon, helmholtz, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real32), intent(in), target :: epsilon(:, :, :)
        real(real32), intent(in), target, optional :: helmholtz(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: lambda
        if (present(helmholtz)) lambda = view(helmholtz)
        call run_set_coefficient(self, view(epsilon), lambda, present(helmholtz), stat, errmsg)
    end subroutine

    recursive subroutine run_set_coefficient(self, epsilon, lambda, varies, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        type(array_view), intent(in) :: epsilon, lambda
        logical, intent(in) :: varies
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint(self, epsilon, "epsilon")
        if (sentence == "" .and. varies) sentence = complaint(self, lambda, "helmholtz")
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        if (self%bytes == 8) then
            status = c_set_coefficient(self%handle, epsilon%first, epsilon%strides, lambda%first, lambda%strides)
        else
            status = c_set_coefficient_float(self%handle, epsilon%first, epsilon%strides, lambda%first, lambda%strides)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! epsilon on the faces across each axis, one more along it: element j is the face between points j - 1 and j, the
    ! first and the last are walls, of a periodic axis the same face. Arrays without gaps.
    recursive subroutine set_faces_r8(self, epsilon_1, epsilon_2, epsilon_3, helmholtz, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real64), intent(in), target :: epsilon_1(:, :, :), epsilon_2(:, :, :), epsilon_3(:, :, :)
        real(real64), intent(in), target, optional :: helmholtz(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: lambda
        if (present(helmholtz)) lambda = view(helmholtz)
        call run_set_faces(self, [view(epsilon_1), view(epsilon_2), view(epsilon_3)], lambda, present(helmholtz), &
            stat, errmsg)
    end subroutine

    recursive subroutine set_faces_r4(self, epsilon_1, epsilon_2, epsilon_3, helmholtz, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real32), intent(in), target :: epsilon_1(:, :, :), epsilon_2(:, :, :), epsilon_3(:, :, :)
        real(real32), intent(in), target, optional :: helmholtz(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(array_view) :: lambda
        if (present(helmholtz)) lambda = view(helmholtz)
        call run_set_faces(self, [view(epsilon_1), view(epsilon_2), view(epsilon_3)], lambda, present(helmholtz), &
            stat, errmsg)
    end subroutine

    recursive subroutine run_set_faces(self, faces, lambda, varies, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        type(array_view), intent(in) :: faces(3), lambda
        logical, intent(in) :: varies
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        type(array_view) :: inside
        type(c_ptr) :: places(3)                      ! in C's order
        integer(int64) :: wanted(3)
        integer :: a, status
        sentence = ""
        do a = 1, 3
            inside = faces(a)  ! without the last face it has the shape of the points
            inside%extents(a) = inside%extents(a) - 1
            wanted = self%points
            wanted(a) = wanted(a) + 1
            if (sentence == "") then
                sentence = complaint(self, inside, "epsilon_"//number(int(a, int64)))
                if (sentence /= "" .and. index(sentence, "has shape") > 0) sentence = "array epsilon_"// &
                    number(int(a, int64))//" has shape "//shape_text(faces(a)%extents)//", wanted "// &
                    shape_text(wanted)
            end if
            if (sentence == "" .and. any(faces(a)%strides /= [wanted(1)*wanted(2), wanted(1), 1_int64])) sentence = &
                "array epsilon_"//number(int(a, int64))//" has gaps, wanted none"
        end do
        if (sentence == "" .and. varies) sentence = complaint(self, lambda, "helmholtz")
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        places = [faces(3)%first, faces(2)%first, faces(1)%first]
        if (self%bytes == 8) then
            status = c_set_faces(self%handle, places, lambda%first, lambda%strides)
        else
            status = c_set_faces_float(self%handle, places, lambda%first, lambda%strides)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! u := solution for scale * f; f and u apart. tolerance: of result%residual, by default 1e-8, of real32 1e-5.
    ! start_from_u: u holds a guess, as in time steps. What does not converge is told by the result, and no failure.
    recursive subroutine variable_solve_r8(self, f, u, boundary, scale, tolerance, max_iterations, start_from_u, &
            result, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real64), intent(in), target :: f(:, :, :)
        real(real64), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale
        real(real64), intent(in), optional :: tolerance
        integer, intent(in), optional :: max_iterations
        logical, intent(in), optional :: start_from_u
        type(poisson3d_variable_result), intent(out), optional :: result
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_variable(self, view(f), view(u), boundary, scale_or_one_r8(scale), tolerance, max_iterations, &
            start_from_u, result, stat, errmsg)
    end subroutine

    recursive subroutine variable_solve_r4(self, f, u, boundary, scale, tolerance, max_iterations, start_from_u, &
            result, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real32), intent(in), target :: f(:, :, :)
        real(real32), intent(inout), target :: u(:, :, :)
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real32), intent(in), optional :: scale
        real(real64), intent(in), optional :: tolerance
        integer, intent(in), optional :: max_iterations
        logical, intent(in), optional :: start_from_u
        type(poisson3d_variable_result), intent(out), optional :: result
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_variable(self, view(f), view(u), boundary, scale_or_one_r4(scale), tolerance, max_iterations, &
            start_from_u, result, stat, errmsg)
    end subroutine

    recursive subroutine run_variable(self, f, u, boundary, scale, tolerance, max_iterations, start_from_u, result, stat, &
            errmsg)
        class(poisson3d_variable), intent(in) :: self
        type(array_view), intent(in) :: f, u
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in) :: scale
        real(real64), intent(in), optional :: tolerance
        integer, intent(in), optional :: max_iterations
        logical, intent(in), optional :: start_from_u
        type(poisson3d_variable_result), intent(out), optional :: result
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data
        type(c_variable_control) :: control
        type(c_variable_result) :: found
        type(c_ptr) :: data_place
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint(self, f, "f")
        if (sentence == "") sentence = complaint(self, u, "u")
        if (sentence == "") call boundary_for_c(self, boundary, 1_int64, data, data_place, sentence)
        if (sentence == "" .and. present(max_iterations)) then
            if (max_iterations < 1) sentence = "found max_iterations "//number(int(max_iterations, int64))// &
                ", wanted 1 or more"
        end if
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        control = c_variable_control(c_sizeof(control), 0, 0, 0)
        if (present(tolerance)) control%tolerance = tolerance
        if (present(max_iterations)) control%max_iterations = max_iterations
        if (present(start_from_u)) control%start_from_u = merge(1, 0, start_from_u)
        found = c_variable_result(c_sizeof(found), 0, 0, 0, 0, 0, 0)
        if (self%bytes == 8) then
            status = c_variable_solve(self%handle, f%first, f%strides, u%first, u%strides, data_place, scale, control, &
                found)
        else
            status = c_variable_solve_float(self%handle, f%first, f%strides, u%first, u%strides, data_place, &
                real(scale, c_float), control, found)
        end if
        if (present(result)) result = poisson3d_variable_result(found%converged /= 0, found%iterations, found%residual, &
            found%singular /= 0, found%mean_removed)
        call finish(status, stat, errmsg)
    end subroutine

    ! f := div(epsilon grad u) - lambda u with homogeneous boundary values.
    recursive subroutine variable_apply_r8(self, u, f, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real64), intent(in), target :: u(:, :, :)
        real(real64), intent(inout), target :: f(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_operator(self, view(u), view(f), stat, errmsg)
    end subroutine

    recursive subroutine variable_apply_r4(self, u, f, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        real(real32), intent(in), target :: u(:, :, :)
        real(real32), intent(inout), target :: f(:, :, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_operator(self, view(u), view(f), stat, errmsg)
    end subroutine

    recursive subroutine run_operator(self, u, f, stat, errmsg)
        class(poisson3d_variable), intent(in) :: self
        type(array_view), intent(in) :: u, f
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: sentence
        integer :: status
        sentence = complaint(self, u, "u")
        if (sentence == "") sentence = complaint(self, f, "f")
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        if (self%bytes == 8) then
            status = c_variable_apply(self%handle, u%first, u%strides, f%first, f%strides)
        else
            status = c_variable_apply_float(self%handle, u%first, u%strides, f%first, f%strides)
        end if
        call finish(status, stat, errmsg)
    end subroutine

    ! ---- Residual ----

    recursive subroutine measure_residual_r8(problem, f, u, residual, boundary, scale, mean, stat, errmsg)
        type(poisson3d_problem), intent(in), target :: problem
        real(real64), intent(in), target :: f(:, :, :), u(:, :, :)
        type(poisson3d_residual), intent(out) :: residual
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in), optional :: scale, mean  ! mean: mean_removed of the solve
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_residual(problem, view(f), view(u), residual, boundary, scale_or_one_r8(scale), mean, stat, errmsg)
    end subroutine

    recursive subroutine measure_residual_r4(problem, f, u, residual, boundary, scale, mean, stat, errmsg)
        type(poisson3d_problem), intent(in), target :: problem
        real(real32), intent(in), target :: f(:, :, :), u(:, :, :)
        type(poisson3d_residual), intent(out) :: residual
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real32), intent(in), optional :: scale
        real(real64), intent(in), optional :: mean
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call run_residual(problem, view(f), view(u), residual, boundary, scale_or_one_r4(scale), mean, stat, errmsg)
    end subroutine

    recursive subroutine run_residual(problem, f, u, residual, boundary, scale, mean, stat, errmsg)
        type(poisson3d_problem), intent(in), target :: problem
        type(array_view), intent(in) :: f, u
        type(poisson3d_residual), intent(out) :: residual
        type(poisson3d_boundary), intent(in), optional :: boundary
        real(real64), intent(in) :: scale
        real(real64), intent(in), optional :: mean
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_boundary), target :: data
        type(c_ptr) :: data_place
        type(poisson3d_solver) :: as_plan
        character(:), allocatable :: sentence
        real(c_double) :: removed
        integer :: status
        call check_problem(problem, status, sentence)
        as_plan%points = problem%axes%points
        as_plan%bytes = f%bytes
        as_plan%handle = f%first  ! not null: only shapes are looked at
        if (sentence == "") sentence = complaint(as_plan, f, "f")
        if (sentence == "") sentence = complaint(as_plan, u, "u")
        if (sentence == "") call boundary_for_c(as_plan, boundary, 1_int64, data, data_place, sentence)
        if (sentence /= "") then
            call finish(poisson3d_stat_usage, stat, errmsg, sentence)
            return
        end if
        removed = 0
        if (present(mean)) removed = mean
        if (f%bytes == 8) then
            status = c_measure_residual(problem_for_c(problem), f%first, f%strides, u%first, u%strides, data_place, &
                scale, removed, residual)
        else
            status = c_measure_residual_float(problem_for_c(problem), f%first, f%strides, u%first, u%strides, &
                data_place, real(scale, c_float), removed, residual)
        end if
        call finish(status, stat, errmsg)
    end subroutine
end module
