// stdout, of which a failure is an error.
#pragma once

#include <string>

namespace poisson3d::app {

/// Prints and flushes. Throws Error{output} if this or anything printed before did not get out.
void print(const std::string& text);
/// The same for what was printed already.
void flush_standard_output();
/// Nothing is printed after this: some file systems tell only here that bytes are lost. Throws Error{output}.
void close_standard_output();

}  // namespace poisson3d::app
