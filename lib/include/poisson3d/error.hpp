// One error type for the whole project: a code that is never renumbered and one sentence for a person.
#pragma once

#include <stdexcept>
#include <string>

#include "poisson3d/export.hpp"

namespace poisson3d {

/// What went wrong. The tens digit is the exit code of the program; the C API returns the value itself.
/// Values are part of the public contract and are never renumbered.
enum class ErrorCode : int {
    ok = 0,
    inaccurate = 10,     ///< backward error above the tolerance
    usage = 20,          ///< an argument or option makes no sense
    unsupported = 21,    ///< a combination this version or this build cannot do
    file = 30,           ///< the input file cannot be read
    data = 31,           ///< the input was read, but its content is not acceptable
    unsolvable = 40,     ///< a singular problem whose right-hand side is not compatible
    resonant = 41,       ///< the Helmholtz constant meets an eigenvalue
    out_of_memory = 50,  ///< host or device memory
    device = 51,         ///< no device, or the device failed
    output = 60,         ///< a result could not be written
    internal = 70,       ///< a defect of this program
};

/// The exit code of the program for `code` (0–7, see README).
constexpr int exit_code(ErrorCode code) noexcept {
    return static_cast<int>(code) / 10;
}

/// The name of a code, e.g. "unsupported". Static storage.
POISSON3D_API const char* name(ErrorCode code) noexcept;

/// The one exception of this project. `what()` is one sentence: what was asked, what was found, what to do.
class POISSON3D_API Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

}  // namespace poisson3d
