// Closed faces on a host: their planes and values (closed_faces.hpp) in its memory.
#pragma once

#include <vector>

#include "closed_faces.hpp"

namespace poisson3d::host {

template <class T>
class ClosedPlanes : public ClosedFaces<T> {
public:
    ClosedPlanes(const Problem& problem, Index fields)
        : faces_(problem.grid),
          planes_(static_cast<std::size_t>(faces_.size), T(0)),
          values_(static_cast<std::size_t>(fields * faces_.size), T(0)) {}

    [[nodiscard]] T* planes() override { return planes_.data(); }
    [[nodiscard]] T* values(Index field) override { return values_.data() + field * faces_.size; }
    void take(const Box& box, FieldView<const T> u, T* to, Stream) override {
        for_each_plane<T>(
            faces_, box, u,
            [&](const T* from, Index row, Index column, Index rows, Index columns, Index place, Index to_row) {
                for (Index i = 0; i < rows; ++i)
                    for (Index j = 0; j < columns; ++j) to[place + i * to_row + j] = from[i * row + j * column];
            });
    }
    void find(Index field, int share, int shares, Stream) override {
        find(planes_.data(), values(field), share, shares);
    }
    void subtract(Index field, const T* value, Stream) override {
        T* const all = values(field);
        for (Index i = 0; i < faces_.size; ++i) all[i] -= *value;
    }
    [[nodiscard]] std::size_t bytes() const override { return (planes_.size() + values_.size()) * sizeof(T); }

protected:
    virtual void find(const T* planes, T* values, int share, int shares) = 0;
    FreeFaces faces_;

private:
    std::vector<T> planes_, values_;
};

}  // namespace poisson3d::host
