#include "child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "poisson3d/error.hpp"

namespace poisson3d::app {

Child::Child(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    // Closed in the child, but for the copies that become its standard streams: when this process goes, it reads
    // the end of its input.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(ErrorCode::unsupported, std::string("cannot make a socket: ") + std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int failed = posix_spawnp(&process_, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    socket_ = ends[0];
    if (failed == 0) return;
    close(socket_);
    throw Error(ErrorCode::unsupported, "cannot start " + command[0] + ": " + std::strerror(failed));
}

Child::~Child() {
    close(socket_);
    kill(process_, SIGKILL);  // whatever it was doing, nobody waits for it any more
    while (waitpid(process_, nullptr, 0) == -1 && errno == EINTR) {}
}

bool Child::send(const void* data, std::size_t bytes) const {
    const auto* from = static_cast<const std::byte*>(data);
    while (bytes > 0) {
        const ssize_t done = ::send(socket_, from, bytes, MSG_NOSIGNAL);
        if (done == -1 && errno == EINTR) continue;
        if (done <= 0) return false;
        from += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

bool Child::receive(void* data, std::size_t bytes) const {
    auto* to = static_cast<std::byte*>(data);
    while (bytes > 0) {
        const ssize_t done = ::recv(socket_, to, bytes, 0);
        if (done == -1 && errno == EINTR) continue;
        if (done <= 0) return false;
        to += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

std::optional<std::string> Child::line() const {
    std::string text;
    for (char c = 0; receive(&c, 1);) {
        if (c == '\n') return text;
        text += c;
    }
    return std::nullopt;
}

}  // namespace poisson3d::app
