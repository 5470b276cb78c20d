// Work that may crash or never end, tried by a child process first.
#pragma once

#include <functional>
#include <string>

namespace poisson3d {

/// Called by work that goes on well and is going to take that many more seconds than a few.
using SignOfLife = std::function<void(double seconds)>;

/// Does `work` in a child process, whatever it returns or throws, and comes back when it came to an end; then the
/// caller can do the same without fear. Throws Error{file} naming `path` if the child crashed, or did not come to
/// an end within 4 seconds of processor time (60 of the clock, for a slow file system) after its last sign of life;
/// Error{out_of_memory} if there is no child to be had.
///
/// The child writes nothing, has no signal handlers of this process, and ends without running what this process
/// registered for its end. Of what other threads may hold when it is made it needs the C library's memory alone,
/// which is safe.
void rehearse(const std::string& path, const std::function<void(const SignOfLife&)>& work);

}  // namespace poisson3d
