// Ending with one line on stderr and exit code 5 where there is no memory left, not even for an exception.
#pragma once

#include "poisson3d/error.hpp"

namespace poisson3d::app {

/// Makes the heap some megabytes larger than it is, which cost nothing until they are used. What is small (texts,
/// HDF5's own structures, which HDF5 does not expect to be refused) then finds room after the fields took all that
/// the limits of this process left. Throws std::bad_alloc if there is not so much.
void reserve_heap();

/// To stderr, by no more than write(): "poisson3d: …", newlines in the sentence made spaces. Remembered.
void write_line(const char* sentence) noexcept;

/// Whether stdout is for JSON that is still to come: then the functions below write it, too.
void expect_json_on_stdout(bool expected) noexcept;

/// Everything is written and told, and only exit handlers of libraries are to come: if memory fails them the
/// program ends with this status all the same, which is returned.
int all_is_told(int status) noexcept;

/// The exit code, after a line if none was written yet, and JSON if that is expected. In a child made by fork(),
/// whose parent tells, only the code. By no more than write().
int end_at_once(ErrorCode code, const char* sentence) noexcept;
int end_without_memory() noexcept;

}  // namespace poisson3d::app
