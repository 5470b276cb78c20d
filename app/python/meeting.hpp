// A call that several threads make together, each for one member, which the last to come makes for all.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "poisson3d/error.hpp"

namespace poisson3d::python {

/// Part: what a member brings. Calls of a member come one after the other; the n-th of one is the n-th of all.
template <class Part>
class Meeting {
public:
    explicit Meeting(std::size_t members, std::chrono::seconds patience)
        : members_(members), patience_(patience), round_(std::make_shared<Round>(members)) {}

    /// Returns when work(parts), in the order of members, has been done by one of them; throws what it threw.
    /// Throws Error{usage} where the others do not come.
    template <class Work>
    void meet(std::size_t member, Part part, const Work& work) {
        std::unique_lock lock(mutex_);
        const std::shared_ptr<Round> mine = round_;
        if (mine->parts[member])
            throw Error(ErrorCode::usage, "member " + std::to_string(member) +
                                              ": found a second call before the others made the first, wanted one "
                                              "program for all devices");
        mine->parts[member] = std::move(part);
        if (++mine->here < members_) {
            if (!mine->ended.wait_for(lock, patience_, [&] { return mine->done; })) {
                mine->parts[member].reset();
                --mine->here;
                throw Error(ErrorCode::usage, "found " + std::to_string(mine->here + 1) + " of " +
                                                  std::to_string(members_) + " devices in a call of all, waited " +
                                                  std::to_string(patience_.count()) +
                                                  " s: wanted one program for all devices of the mesh");
            }
        } else {
            round_ = std::make_shared<Round>(members_);
            std::vector<Part> parts;
            for (auto& one : mine->parts) parts.push_back(std::move(*one));
            lock.unlock();  // the others sleep, and whoever comes next meets in the next round
            std::exception_ptr failure;
            try {
                work(parts);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            mine->failure = failure;
            mine->done = true;
            mine->ended.notify_all();
        }
        if (mine->failure) std::rethrow_exception(mine->failure);
    }

private:
    struct Round {
        explicit Round(std::size_t members) : parts(members) {}
        std::vector<std::optional<Part>> parts;
        std::size_t here = 0;
        bool done = false;
        std::exception_ptr failure;
        std::condition_variable ended;
    };

    std::size_t members_;
    std::chrono::seconds patience_;
    std::mutex mutex_;
    std::shared_ptr<Round> round_;
};

}  // namespace poisson3d::python
