// Another program, started to work for this one and ended with it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace poisson3d::app {

/// Its standard input and output are one end of a socket, the other end is here; what it says on standard error
/// goes nowhere. A child that is gone is no error of these calls: they say so.
class Child {
public:
    /// The program is looked up in PATH. Throws Error{unsupported} if it cannot be started.
    explicit Child(const std::vector<std::string>& command);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// All of it, or false.
    bool send(const void* data, std::size_t bytes) const;
    bool receive(void* data, std::size_t bytes) const;
    /// Without its end; empty if the child went before it came.
    [[nodiscard]] std::optional<std::string> line() const;

private:
    int socket_ = -1;
    pid_t process_ = -1;
};

}  // namespace poisson3d::app
