// An open file of the system, closed by its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace poisson3d {

/// Owns a file descriptor, −1 for none. Of files that are only read: closing tells nothing then.
class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) static_cast<void>(close(number_));
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    [[nodiscard]] int get() const noexcept { return number_; }

private:
    int number_;
};

}  // namespace poisson3d
