// Streams of a device, and events in them that the host and other streams can wait for. The same symbols stand in
// every build; without CUDA they throw Error{device} with the reason.
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
    DeviceEvent();
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

private:
    void* handle_ = nullptr;
};

/// Whether the stream is being captured into a CUDA graph. Does not wait.
POISSON3D_API bool capturing(Stream stream);

}  // namespace poisson3d
