// What the lines of a member's middle pass leave next to faces that are closed by walls, and take from them
// (face_sums.hpp): of the modes that it has, in memory of its own.
#pragma once

#include <vector>

#include "face_sums.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d::host {

template <class T>
class PartFaces {
public:
    /// What it is given must outlive it. `free`: before it was closed.
    PartFaces(const Grid& free, bool eliminates, const std::array<Planes, 3>& at_hand, int across,
              FieldPasses<T>& passes)
        : layout_(make_middle_layout<T>(free, eliminates, at_hand, across, passes.team().size())),
          memory_(take_memory(layout_, passes.team().size())),
          sums_(layout_, passes, static_cast<std::byte*>(memory_.data())) {
        Index size = 0;
        const auto for_parts = [&](const auto& body) {
            for (int a = 0; a < 3; ++a)
                for (int part = 0; part < layout_.closed[a].faces; ++part) body(a, part);
        };
        for_parts([&](int a, int) { size += layout_.face_size(a); });
        numbers_.resize(static_cast<std::size_t>(size), T(0));
        modes_.at_hand = at_hand;
        T* data = numbers_.data();
        for_parts([&](int a, int part) {
            modes_.parts[a][part] = layout_.face_at(a, data);
            data += layout_.face_size(a);
        });
    }

    [[nodiscard]] FaceModes<T>& modes() noexcept { return modes_; }
    /// To modes(), and from there.
    void sum(const PassTask<T>& task) { sums_.sum(task, modes_.parts); }
    void add(const PassTask<T>& task) { sums_.add(task, modes_.parts); }
    [[nodiscard]] std::size_t bytes() const noexcept { return memory_.size() + numbers_.size() * sizeof(T); }

private:
    static HostBuffer take_memory(MiddleLayout& layout, int threads) {
        Offsets all(0);
        take_blocks<T>(layout, threads, all);
        take_sums<T>(layout, all);
        return HostBuffer(all.end());
    }

    MiddleLayout layout_;
    HostBuffer memory_;
    FaceSums<T> sums_;
    std::vector<T> numbers_;
    FaceModes<T> modes_;
};

}  // namespace poisson3d::host
