// Streams of a device, events in them that the host and other streams can wait for, and timing. The same symbols
// stand in every build; without CUDA they throw Error{device} with the reason.
#pragma once

#include "poisson3d/export.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// A stream on the device that is current when it is made. It does not wait for the default stream, nor the default
/// stream for it.
class POISSON3D_API DeviceStream {
public:
    DeviceStream();
    /// Waits for the work in it, so that memory which that work uses may be freed afterwards.
    ~DeviceStream();
    DeviceStream(const DeviceStream&) = delete;
    DeviceStream& operator=(const DeviceStream&) = delete;

    [[nodiscard]] Stream get() const noexcept { return {handle_}; }

private:
    void* handle_ = nullptr;
};

/// An event: a point in a stream.
class POISSON3D_API DeviceEvent {
public:
    DeviceEvent() : DeviceEvent(false) {}
    ~DeviceEvent();
    DeviceEvent(const DeviceEvent&) = delete;
    DeviceEvent& operator=(const DeviceEvent&) = delete;

    /// Sets the event behind all that is in the stream now, in place of an earlier record().
    void record(Stream stream);
    /// Blocks until all that was in the stream at record() is done; returns at once if nothing was recorded.
    /// Errors of that work surface here as Error{device}.
    void wait() const;
    /// Whether all of that is done; also true if nothing was recorded. Does not wait.
    [[nodiscard]] bool reached() const;
    /// Work that `stream` is given from now on waits for the event; the host does not.
    void make_wait(Stream stream) const;

protected:
    explicit DeviceEvent(bool timed);
    /// Device time from one to the other, both timed. Throws Error{device} unless both were reached.
    [[nodiscard]] double seconds_since(const DeviceEvent& earlier) const;

private:
    void* handle_ = nullptr;
};

/// An event that knows when it was reached.
class TimedEvent : public DeviceEvent {
public:
    TimedEvent() : DeviceEvent(true) {}
    using DeviceEvent::seconds_since;
};

/// Device time between two points of a stream.
class DeviceTimer {
public:
    void start(Stream stream = {}) { start_.record(stream); }
    void stop(Stream stream = {}) { stop_.record(stream); }
    /// Waits for stop() to be reached.
    [[nodiscard]] double seconds() const {
        stop_.wait();
        return stop_.seconds_since(start_);
    }

private:
    TimedEvent start_, stop_;
};

/// Whether the stream is being captured into a CUDA graph. Does not wait.
POISSON3D_API bool capturing(Stream stream);

}  // namespace poisson3d
