// The separators of a share of lines, solved on a GPU (separator_lines.hpp), and the line κ = 0.
#pragma once

#include "constant_line.hpp"
#include "member.hpp"
#include "poisson3d/stream.hpp"
#include "separator_lines.hpp"

namespace poisson3d::members {

/// Lines a thread each; a member with the line κ = 0 solves it where it lies.
template <class T>
struct SeparatorTask {
    SeparatorLines<T> separators;
    bool constant = false;
    lines::ConstantLine<T> constant_line;
    const T* samples = nullptr;  ///< of that line, …
    T* solution = nullptr;       ///< … its solution, and behind it the mean that was removed
};

/// Asynchronous; throws Error{device} when refused.
template <class T>
void launch_separators(const SeparatorTask<T>& task, Stream stream);

}  // namespace poisson3d::members
