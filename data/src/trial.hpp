// Work that may crash or never end, tried by a child process first.
#pragma once

#include <functional>
#include <string>

namespace poisson3d {

/// Called by work that makes progress and may now take a few seconds, and as many more as are given.
using Heartbeat = std::function<void(double seconds)>;

/// Called in a child process: what it does to memory is lost with it.
using Work = std::function<void(const Heartbeat&)>;

/// Does `structure` and then `values` in a child process. If it returns, the caller can safely do the same.
/// - An Error of theirs is thrown here, too. Other exceptions, and those derived from Error, are not: the caller
///   will get them when it does the same.
/// - Throws Error{file} naming `path` if the child crashed, if `structure` asks for more than a gigabyte of memory
///   (sizes of a damaged file), or if it did not end within about two seconds of processor time (60 of the clock,
///   for a slow file system) after its last heartbeat.
/// - Throws Error{out_of_memory} if no child can be made.
/// - The child writes nothing, has no signal handlers of this process, and ends without running what this process
///   registered for its end. It needs no lock that another thread may hold but that of malloc(), which fork() keeps
///   usable.
void try_in_child(const std::string& path, const Work& structure, const Work& values);

}  // namespace poisson3d
