// Calls on a GPU that come again with the same pointers and numbers: recorded as a graph when they come for the
// second time, since a launch of one takes the host less than those of the kernels. To record one takes as long as
// a dozen launches save: whoever brings other memory too often is recorded no more.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "poisson3d/device_graph.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::python {

/// Key: what makes two calls the same, compared by ==.
template <class Key>
class RecordedCalls {
public:
    /// Puts work(stream), which is the same for the same key, into a stream of the current device.
    template <class Work>
    void run(const Key& key, Stream stream, const Work& work) {
        const auto found =
            std::find_if(calls_.begin(), calls_.end(), [&](const Call& one) { return one.key == key; });
        if (!possible_ || found == calls_.end() || capturing(stream)) {
            if (possible_ && found == calls_.end()) {
                if (calls_.size() >= most) calls_.pop_back();
                calls_.push_front({key, nullptr});
            }
            work(stream);
            return;
        }
        if (!found->graph && recorded_ >= most && launched_ < worth * recorded_) {
            work(stream);
            return;
        }
        std::rotate(calls_.begin(), found, found + 1);  // the one used last first
        Call& call = calls_.front();
        if (!call.graph) {
            try {
                call.graph = std::make_unique<DeviceGraph>(work);
                ++recorded_;
            } catch (const Error&) {
                possible_ = false;
                calls_.clear();
                work(stream);
                return;
            }
        }
        call.graph->launch(stream);
        ++launched_;
    }

private:
    static constexpr std::size_t most = 8, worth = 16;
    struct Call {
        Key key;
        std::unique_ptr<DeviceGraph> graph;
    };
    std::deque<Call> calls_;
    std::size_t recorded_ = 0, launched_ = 0;
    bool possible_ = true;  ///< to record them
};

}  // namespace poisson3d::python
