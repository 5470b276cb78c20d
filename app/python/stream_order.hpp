// The order of one plan's work on a GPU. A plan has one workspace: what it is given on another stream than before
// waits for what it was given last. And arrays whose owner does not follow the stream must outlive the work.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "array.hpp"
#include "poisson3d/device_stream.hpp"

namespace poisson3d::python {

class StreamOrder {
public:
    using Event = std::shared_ptr<DeviceEvent>;

    // Called under the plan's lock, without the interpreter's, its device being the current one.

    /// Work that comes into `stream` now waits for the work before it. Not where the stream is being captured: a
    /// graph knows no work outside, and whoever captures has waited for it.
    void before(Stream stream);
    /// Marks the work that was put in. Null where it was captured.
    Event after(Stream stream);
    /// Makes `stream` wait for the work that was put in last.
    void make_wait(Stream stream) const;
    [[nodiscard]] Stream last_stream() const noexcept { return stream_; }
    /// A stream of the plan's own, for libraries that have none to give.
    Stream own_stream();

    // Called with the interpreter's lock.

    /// Keeps `arrays` until `event` is reached, and lets go of those whose event was reached.
    void keep(Event event, std::vector<Array> arrays);

    /// Waits for all work whose arrays are kept.
    ~StreamOrder();

private:
    struct Kept {
        Event event;
        std::vector<Array> arrays;
    };
    Stream stream_;
    Event last_;
    std::optional<DeviceStream> own_;
    std::deque<Kept> kept_;
};

}  // namespace poisson3d::python
