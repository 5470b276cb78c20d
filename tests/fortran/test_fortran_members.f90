! Members on threads.
program test_fortran_members
    use poisson3d
    use checks
    use members_laws
    implicit none
    type(poisson3d_communicator) :: group
    integer :: members
    do members = 1, 3
        call group%create(members)
        call test_members(group, members)
    end do
    call group%destroy()
    call group%destroy()
    if (failures > 0) error stop "some checks failed"
end program
