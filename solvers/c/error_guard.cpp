#include "error_guard.hpp"

#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "poisson3d.h"
#include "poisson3d/error.hpp"

namespace poisson3d::c {

namespace {

// The two lists of codes are one.
constexpr bool same(poisson3d_status status, ErrorCode code) {
    return static_cast<int>(status) == static_cast<int>(code);
}
static_assert(same(POISSON3D_OK, ErrorCode::ok) && same(POISSON3D_INACCURATE, ErrorCode::inaccurate) &&
              same(POISSON3D_USAGE, ErrorCode::usage) && same(POISSON3D_UNSUPPORTED, ErrorCode::unsupported) &&
              same(POISSON3D_FILE, ErrorCode::file) && same(POISSON3D_DATA, ErrorCode::data) &&
              same(POISSON3D_UNSOLVABLE, ErrorCode::unsolvable) && same(POISSON3D_RESONANT, ErrorCode::resonant) &&
              same(POISSON3D_OUT_OF_MEMORY, ErrorCode::out_of_memory) &&
              same(POISSON3D_DEVICE, ErrorCode::device) && same(POISSON3D_OUTPUT, ErrorCode::output) &&
              same(POISSON3D_INTERNAL, ErrorCode::internal));

using Message = std::array<char, 1024>;

/// Constant initialisation: touching it for the first time cannot fail.
Message& message_of_thread() noexcept {
    constinit static thread_local Message message{};
    return message;
}

int keep(ErrorCode code, const char* text) noexcept {
    keep_message(text);
    return static_cast<int>(code);
}

}  // namespace

void keep_message(const char* text) noexcept {
    Message& message = message_of_thread();
    std::size_t length = std::strlen(text);
    if (length > message.size() - 1) {
        length = message.size() - 1;
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    }
    std::memmove(message.data(), text, length);
    message[length] = '\0';
}

const char* kept_message() noexcept {
    return message_of_thread().data();
}

int status_of_exception() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        return keep(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return keep(ErrorCode::out_of_memory, "out of host memory: a small allocation failed");
    } catch (const std::length_error&) {
        return keep(ErrorCode::out_of_memory, "out of host memory: more was wanted than a process can address");
    } catch (const std::exception& other) {
        return keep(ErrorCode::internal, other.what());
    } catch (...) {
        return keep(ErrorCode::internal, "an exception of unknown type reached the C interface");
    }
}

}  // namespace poisson3d::c

const char* poisson3d_last_message(void) {
    return poisson3d::c::kept_message();
}

const char* poisson3d_message(int status) {
    switch (status) {
        case POISSON3D_OK: return "done";
        case POISSON3D_INACCURATE: return "the solution is not as accurate as was asked";
        case POISSON3D_USAGE: return "an argument or option makes no sense";
        case POISSON3D_UNSUPPORTED: return "this version or this build cannot do it";
        case POISSON3D_FILE: return "the input file cannot be read";
        case POISSON3D_DATA: return "the problem as described is not acceptable";
        case POISSON3D_UNSOLVABLE: return "the problem has no solution as posed";
        case POISSON3D_RESONANT: return "the Helmholtz constant meets an eigenvalue";
        case POISSON3D_OUT_OF_MEMORY: return "out of memory";
        case POISSON3D_DEVICE: return "there is no device, or it failed";
        case POISSON3D_OUTPUT: return "a result could not be written";
        case POISSON3D_INTERNAL: return "a defect of the library";
        default: return "not a status of this library";
    }
}

const char* poisson3d_version(void) {
    return POISSON3D_VERSION;
}
