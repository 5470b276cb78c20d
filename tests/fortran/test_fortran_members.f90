! Members on threads.
program test_fortran_members
    use poisson3d
    use checks
    use free_members_laws
    use members_laws
    implicit none
    type(poisson3d_communicator) :: group
    integer :: members, stat
    character(200) :: words
    do members = 1, 3
        call group%create(members)
        call test_members(group, members)
        call test_addresses(group, members)
        call test_free_gradient(group, members)
    end do
    call group%create(11)                                ! more members than planes
    call test_addresses(group, 11)
    call group%create_devices([0, 99], stat, words)
    call check(stat /= poisson3d_stat_ok .and. index(words, "device") > 0, "members on devices that are not there")
    call group%destroy()
    call group%destroy()
    if (failures > 0) error stop "some checks failed"
end program
