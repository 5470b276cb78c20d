// The border between C and C++: no exception crosses it.
//
//     int poisson3d_x(…) { return guarded([&] { …C++ that throws… }); }
//
// A failure becomes its status, and its sentence is kept for poisson3d_last_message().
#pragma once

namespace poisson3d::c {

/// Status of the exception being handled; keeps its sentence in memory of this thread that is always there.
int status_of_exception() noexcept;

/// Keeps the beginning of a sentence, whole characters of UTF-8.
void keep_message(const char* text) noexcept;

/// The sentence kept last by this thread.
const char* kept_message() noexcept;

/// Calls body(), whatever it throws; 0 if it throws nothing.
template <class Body>
int guarded(Body&& body) noexcept {
    try {
        body();
        return 0;
    } catch (...) {
        return status_of_exception();
    }
}

}  // namespace poisson3d::c
