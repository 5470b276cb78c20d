! Device memory and streams for tests (tests/c/on_device.h).
module on_device
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        function device_missing() result(missing) bind(C)
            import :: c_int
            integer(c_int) :: missing
        end function
        function device_count() result(devices) bind(C)
            import :: c_int
            integer(c_int) :: devices
        end function
        subroutine device_use(number) bind(C)
            import :: c_int
            integer(c_int), value :: number
        end subroutine
        function device_take(bytes, values) result(place) bind(C)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
            type(c_ptr), value :: values
            type(c_ptr) :: place
        end function
        subroutine device_read(values, place, bytes, stream) bind(C)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: values, place, stream
            integer(c_size_t), value :: bytes
        end subroutine
        subroutine device_give_back(place) bind(C)
            import :: c_ptr
            type(c_ptr), value :: place
        end subroutine
        function device_stream_make() result(stream) bind(C)
            import :: c_ptr
            type(c_ptr) :: stream
        end function
        subroutine device_stream_end(stream) bind(C)
            import :: c_ptr
            type(c_ptr), value :: stream
        end subroutine
    end interface
end module
