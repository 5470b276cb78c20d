// Streams and events of pretended devices: what is asked for is executed here, one entry after the other, from a
// stream chosen by chance of those whose next entry may go.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "poisson3d/stream.hpp"

namespace poisson3d {

class Queues {
public:
    using Body = std::function<void()>;
    static Queues& get() {
        static Queues queues;
        return queues;
    }
    /// A name; of a stream of the current device, or of an event.
    [[nodiscard]] void* make() {
        names_.push_back(std::make_unique<int>(0));
        device_of_[names_.back().get()] = device_;
        return names_.back().get();
    }
    int take_device(int device) { return std::exchange(device_, device); }

    /// From now on all streams of a device share a queue of its hardware: kernels and words wait for what was
    /// launched before them, of whatever stream. Copies do not, which have queues of their own.
    void share(bool shared) { shared_ = shared; }
    /// Copies do not go on until they are let go.
    void hold_copies(bool held) { held_ = held; }

    void add(Stream stream, Body body) {
        wait_until(
            stream, [] { return true; }, std::move(body));
    }
    void copy(Stream stream, Body body) {
        queues_[stream.handle].push_back({[this] { return !held_; }, std::move(body), nullptr, 0});
    }
    void record(Stream stream, void* event) {
        const int time = ++recorded_[event];
        queues_[stream.handle].push_back(
            {[] { return true; }, [this, event, time] { reached_[event] = std::max(reached_[event], time); },
             nullptr, 0});
    }
    /// For the last record() there was.
    void wait(Stream stream, void* event) {
        const int time = recorded_[event];
        queues_[stream.handle].push_back(
            {[this, event, time] { return reached_[event] >= time; }, [] {}, nullptr, 0});
    }
    void wait_until(Stream stream, std::function<bool()> may_go, Body body) {
        Shared* const queue = shared_ ? &of_device_[device_of_[stream.handle]] : nullptr;
        queues_[stream.handle].push_back(
            {std::move(may_go), std::move(body), queue, queue == nullptr ? 0 : queue->launched++});
    }
    /// False: what is left waits for itself, or for copies that are held.
    [[nodiscard]] bool execute(unsigned seed) {
        std::mt19937 random(seed);
        std::map<void*, unsigned> asleep;  // some streams, for a while
        for (unsigned step = 0;; ++step) {
            for (auto& [name, queue] : queues_)
                if (step % 16 == 0) asleep[name] = random() % 4;
            std::vector<std::deque<Entry>*> ready, late;
            bool left = false;
            for (auto& [name, queue] : queues_) {
                left = left || !queue.empty();
                if (!queue.empty() && queue.front().goes()) (asleep[name] == 0 ? late : ready).push_back(&queue);
            }
            if (ready.empty()) ready = late;
            if (ready.empty()) {
                if (!left) queues_.clear();
                return !left;
            }
            std::deque<Entry>& queue = *ready[random() % ready.size()];
            const Entry entry = std::move(queue.front());
            queue.pop_front();
            if (entry.queue != nullptr) ++entry.queue->done;
            entry.body();
        }
    }

private:
    struct Shared {
        int launched = 0, done = 0;
    };
    struct Entry {
        std::function<bool()> may_go;
        Body body;
        Shared* queue;  ///< null: none that it shares
        int turn;
        [[nodiscard]] bool goes() const { return (queue == nullptr || queue->done == turn) && may_go(); }
    };
    std::map<void*, std::deque<Entry>> queues_;
    std::map<void*, int> recorded_, reached_, device_of_;
    std::map<int, Shared> of_device_;
    std::vector<std::unique_ptr<int>> names_;
    int device_ = 0;
    bool shared_ = false, held_ = false;
};

}  // namespace poisson3d
