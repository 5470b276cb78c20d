// Work that may crash or never end, tried by a child process first.
#pragma once

#include <functional>
#include <string>

namespace poisson3d {

/// Called by work that goes on well and is going to take that many more seconds than a few.
using SignOfLife = std::function<void(double seconds)>;

/// Called in a child process: what it does to memory is lost with it.
using Work = std::function<void(const SignOfLife&)>;

/// Does `structure` and then `values` in a child process and comes back when they came to an end; then the caller
/// can do the same without fear. An Error of theirs is thrown here, too; of other exceptions, and of classes
/// derived from Error, the child tells nothing, and the caller meets them. Throws Error{file} naming `path` if the
/// child crashed, if `structure` asks for more than a gigabyte of memory (sizes of a damaged file), or if it did
/// not come to an end within two seconds or so of processor time (60 of the clock, for a slow file system) after
/// its last sign of life; Error{out_of_memory} if there is no child to be had.
///
/// The child writes nothing, has no signal handlers of this process, and ends without running what this process
/// registered for its end. Of what other threads may hold when it is made it needs the C library's memory alone,
/// which is safe.
void rehearse(const std::string& path, const Work& structure, const Work& values);

}  // namespace poisson3d
