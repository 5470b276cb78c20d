// Calls on GPUs that come again with the same pointers and numbers: recorded as a graph when they come for the
// second time, since a launch of one takes the host less than those of the kernels. To record one takes as long as
// a dozen launches save: whoever brings other memory too often is recorded no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "poisson3d/device_graph.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

/// Key: what makes two calls the same, compared by ==.
template <class Key>
class RecordedCalls {
public:
    /// Keys are copies of `empty`, later assigned to: what it has reserved need not be allocated in a call.
    explicit RecordedCalls(const Key& empty = {}) {
        for (std::size_t i = 0; i < most; ++i) calls_.push_back({empty, nullptr, false});
    }

    /// The graph of this call, to be launched in its place; null: it is not recorded, and `work`, which is the same
    /// for the same key, must be done. To record it work(stream of its own) is called with the device current in
    /// which the graph will be launched.
    template <class Work>
    const DeviceGraph* graph(const Key& key, Stream stream, const Work& work) {
        if (!possible_ || capturing(stream)) return nullptr;
        const auto found = std::find_if(calls_.begin(), calls_.end(),
                                        [&](const Call& one) { return one.known && one.key == key; });
        if (found == calls_.end()) {
            std::rotate(calls_.begin(), calls_.end() - 1, calls_.end());
            calls_.front().key = key;
            calls_.front().graph.reset();
            calls_.front().known = true;
            return nullptr;
        }
        if (!found->graph && recorded_ >= most && launched_ < worth * recorded_) return nullptr;
        std::rotate(calls_.begin(), found, found + 1);  // the one used last first
        Call& call = calls_.front();
        if (!call.graph) {
            try {
                call.graph = std::make_unique<DeviceGraph>(work);
                ++recorded_;
            } catch (const Error&) {
                possible_ = false;
                for (Call& each : calls_) each.graph.reset();
                return nullptr;
            }
        }
        ++launched_;
        return call.graph.get();
    }

private:
    static constexpr std::size_t most = 8, worth = 16;
    struct Call {
        Key key;
        std::unique_ptr<DeviceGraph> graph;
        bool known;
    };
    std::vector<Call> calls_;
    std::size_t recorded_ = 0, launched_ = 0;
    bool possible_ = true;  ///< to record them
};

}  // namespace poisson3d
