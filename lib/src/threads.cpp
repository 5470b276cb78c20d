#include "poisson3d/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "control_group.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"

namespace poisson3d {

int available_threads() {
    int threads = 1;
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) threads = CPU_COUNT(&mask);
    // A container or a job may own fewer CPUs than it sees.
    const double quota = control_groups().processors();
    if (quota < threads) threads = static_cast<int>(quota + 0.5);
    return std::max(threads, 1);
}

struct ThreadTeam::State {
    // The current loop. Written by run() while all helpers wait, read by them after `generation` moved on.
    Function function = nullptr;
    void* body = nullptr;
    Index count = 0;
    Index chunk = 1;
    alignas(64) std::atomic<Index> next{0};

    alignas(64) std::mutex mutex;
    std::condition_variable start, done;
    unsigned long generation = 0;
    int busy = 0;
    bool quit = false;
    std::exception_ptr error;
    std::vector<std::thread> helpers;
    HomeProcess home;

    void work(int thread) noexcept {
        try {
            for (;;) {
                const Index begin = next.fetch_add(chunk, std::memory_order_relaxed);
                if (begin >= count) return;
                function(body, begin, std::min(begin + chunk, count), thread);
            }
        } catch (...) {
            next.store(count, std::memory_order_relaxed);  // stops the other threads
            const std::lock_guard lock(mutex);
            if (!error) error = std::current_exception();
        }
    }

    void help(int thread) {
        unsigned long seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex);
                start.wait(lock, [&] { return quit || generation != seen; });
                if (quit) return;
                seen = generation;
            }
            work(thread);
            const std::lock_guard lock(mutex);
            if (--busy == 0) done.notify_one();
        }
    }

    void stop() noexcept {
        {
            const std::lock_guard lock(mutex);
            quit = true;
        }
        start.notify_all();
        for (std::thread& helper : helpers) helper.join();
    }
};

ThreadTeam::ThreadTeam(int size) : state_(std::make_unique<State>()) {
    if (size < 0 || size > max_threads)
        throw Error(ErrorCode::usage, "found " + std::to_string(size) + " threads, wanted 0 to " +
                                          std::to_string(max_threads) + ", 0 for all");
    if (size == 0) size = available_threads();
    try {
        for (int thread = 1; thread < size; ++thread)
            state_->helpers.emplace_back([state = state_.get(), thread] { state->help(thread); });
    } catch (const std::system_error& error) {
        state_->stop();
        throw Error(ErrorCode::out_of_memory, "cannot start " + std::to_string(size) + " threads: " + error.what());
    }
}

ThreadTeam::~ThreadTeam() {
    if (state_->home.here())
        state_->stop();
    else
        static_cast<void>(state_.release());  // no threads to join, and the lock may be held for ever
}

int ThreadTeam::size() const noexcept {
    return static_cast<int>(state_->helpers.size()) + 1;
}

void ThreadTeam::run(Index count, Index chunk, Function function, const void* body) {
    State& state = *state_;
    state.home.require_here("this team of threads");
    if (count <= 0) return;
    state.function = function;
    state.body = const_cast<void*>(body);
    state.count = count;
    state.chunk = std::max<Index>(chunk, 1);
    state.next.store(0, std::memory_order_relaxed);
    state.error = nullptr;
    const bool alone = count <= state.chunk || state.helpers.empty();
    if (!alone) {
        {
            const std::lock_guard lock(state.mutex);
            state.busy = static_cast<int>(state.helpers.size());
            ++state.generation;
        }
        state.start.notify_all();
    }
    state.work(0);
    if (!alone) {
        std::unique_lock lock(state.mutex);
        state.done.wait(lock, [&] { return state.busy == 0; });
    }
    if (state.error) std::rethrow_exception(state.error);
}

}  // namespace poisson3d
