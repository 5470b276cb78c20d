// A field of which some planes are in memory at a time. Its range of addresses is that of the whole, so that
// whoever reads planes needs to know nothing of it; pages are given to planes that come, and taken from those that
// go.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

template <class T>
class PlaneWindow {
public:
    /// Takes addresses and no memory. Throws Error{out_of_memory} if limits do not leave so many addresses.
    explicit PlaneWindow(const Extents& extents)
        : extents_(extents), present_(static_cast<std::size_t>(extents[0]), false) {
        void* const place =
            mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (place == MAP_FAILED)
            throw Error(ErrorCode::out_of_memory,
                        "out of host memory: wanted addresses for a field of " + format_bytes(bytes()));
        first_ = static_cast<T*>(place);
    }
    ~PlaneWindow() { munmap(first_, bytes()); }
    PlaneWindow(const PlaneWindow&) = delete;
    PlaneWindow& operator=(const PlaneWindow&) = delete;

    [[nodiscard]] FieldView<T> view() const noexcept { return {first_, extents_}; }

    /// Planes first … first + count − 1 and the two on either side, over the ends if the field is a ring, are there
    /// when the call returns; fill(first, planes) is called for those that were not, and all others are gone.
    template <class Fill>
    void bring(Index first, Index count, bool ring, const Fill& fill) {
        constexpr Index beside = 2;
        std::vector<bool> wanted(present_.size(), false);
        for (Index i = first - beside; i < first + count + beside; ++i)
            if (ring)
                wanted[at((i % extents_[0] + extents_[0]) % extents_[0])] = true;
            else if (i >= 0 && i < extents_[0])
                wanted[at(i)] = true;
        for_each_run([&](std::size_t i) { return present_[i] && !wanted[i]; },
                     [&](Index run, Index planes) { forget(view().slab(run, planes)); });
        for_each_run([&](std::size_t i) { return wanted[i] && !present_[i]; },
                     [&](Index run, Index planes) { fill(run, view().slab(run, planes)); });
        present_ = wanted;
    }

    /// These planes alone are there from now on, first … of the field.
    void bring_only(Index first, FieldView<const T> planes) {
        const Index end = first + planes.extents[0];
        for_each_run([&](std::size_t i) { return present_[i] && (i < at(first) || i >= at(end)); },
                     [&](Index run, Index count) { forget(view().slab(run, count)); });
        std::copy_n(planes.data, planes.size(), view().slab(first, planes.extents[0]).data);
        std::fill(present_.begin(), present_.end(), false);
        std::fill(present_.begin() + first, present_.begin() + end, true);
    }

private:
    static std::size_t at(Index plane) { return static_cast<std::size_t>(plane); }
    [[nodiscard]] std::size_t bytes() const {
        return std::max<std::size_t>(1, static_cast<std::size_t>(view().size()) * sizeof(T));
    }

    /// body(first, count) for neighbouring planes that are all `such`.
    template <class Such, class Body>
    void for_each_run(const Such& such, const Body& body) const {
        const std::size_t planes = present_.size();
        for (std::size_t begin = 0; begin < planes;) {
            std::size_t end = begin;
            while (end < planes && such(end)) ++end;
            if (end > begin) body(static_cast<Index>(begin), static_cast<Index>(end - begin));
            begin = std::max(end, begin + 1);
        }
    }

    /// Gives back the pages that have nothing else.
    static void forget(FieldView<T> planes) {
        const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        const auto begin = reinterpret_cast<std::uintptr_t>(planes.data);
        const std::uintptr_t end = begin + static_cast<std::uintptr_t>(planes.size()) * sizeof(T);
        const std::uintptr_t from = (begin + page - 1) / page * page, to = end / page * page;
        if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
    }

    Extents extents_;
    std::vector<bool> present_;
    T* first_ = nullptr;
};

}  // namespace poisson3d::app
