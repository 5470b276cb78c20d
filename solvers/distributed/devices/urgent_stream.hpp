// A stream of a device whose work comes before that of other streams which wait for room on it.
#pragma once

#include "poisson3d/stream.hpp"

namespace poisson3d {

/// On the device that is current when it is made. Kernels that meet those of another device are for this: until
/// both run, the blocks of the one that came first do nothing.
class UrgentStream {
public:
    UrgentStream();
    /// Waits for the work in it.
    ~UrgentStream();
    UrgentStream(const UrgentStream&) = delete;
    UrgentStream& operator=(const UrgentStream&) = delete;
    [[nodiscard]] Stream get() const noexcept { return {handle_}; }

private:
    void* handle_ = nullptr;
};

}  // namespace poisson3d
