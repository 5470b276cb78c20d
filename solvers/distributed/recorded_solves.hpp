// Solves of members on the GPUs of one process that come again with the same fields, data and scale: launched as
// one graph over all of them. The launches of four members one by one take the host 0.3 to 1.3 ms, where 512³
// points take them 1.2.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "engine.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/recorded_calls.hpp"

namespace poisson3d {

template <class T>
class RecordedSolves {
public:
    /// Of members on these devices.
    explicit RecordedSolves(const std::vector<int>& devices)
        : first_(devices.front()), calls_(Key(devices.size())), key_(devices.size()), given_(devices.size()) {
        for (const int device : devices) {
            const DeviceScope scope(device);
            streams_.push_back(std::make_unique<DeviceStream>());
        }
    }

    /// Puts launch() into `streams`, or launches a graph of it: after what these hold, before what they get.
    /// `before` makes the first one wait for the others, `after` the others for the first. Streams are those of the
    /// recorder while launch() is recorded.
    template <class Launch, class Before, class After>
    void run(const std::vector<Call<T>>& calls, std::vector<Stream>& streams, const Launch& launch,
             const Before& before, const After& after) {
        const DeviceScope scope(first_);
        std::transform(calls.begin(), calls.end(), key_.begin(), [](const Call<T>& call) { return Same{call}; });
        std::copy(streams.begin(), streams.end(), given_.begin());
        const DeviceGraph* const graph = calls_.graph(key_, streams.front(), [&](Stream first) {
            for (std::size_t m = 0; m < streams.size(); ++m) streams[m] = m == 0 ? first : streams_[m]->get();
            launch();
        });
        std::copy(given_.begin(), given_.end(), streams.begin());
        if (graph == nullptr) return launch();
        before();
        graph->launch(streams.front());
        after();
    }

private:
    /// What a member is called with, its problem being the same.
    struct Same {
        Call<T> call;
        bool operator==(const Same& other) const { return same(call, other.call); }
    };
    using Key = std::vector<Same>;

    static bool same(const FaceValues<T>& a, const FaceValues<T>& b) {
        return a.constant == b.constant && a.data == b.data && a.stride == b.stride &&
               a.field_stride == b.field_stride;
    }
    template <class U>
    static bool same(const FieldView<U>& a, const FieldView<U>& b) {
        return a.data == b.data && a.strides == b.strides;
    }
    static bool same(const Call<T>& a, const Call<T>& b) {
        bool faces = a.boundary.any == b.boundary.any;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                faces = faces && same(a.boundary.face[axis][side], b.boundary.face[axis][side]);
        return faces && a.operation == b.operation && a.scale == b.scale && a.fields == b.fields &&
               a.f_next == b.f_next && a.u_next == b.u_next && same(a.f, b.f) && same(a.u, b.u);
    }

    int first_;  ///< device of the first member
    RecordedCalls<Key> calls_;
    Key key_;
    std::vector<Stream> given_;
    std::vector<std::unique_ptr<DeviceStream>> streams_;  ///< those that launches are recorded in
};

}  // namespace poisson3d
