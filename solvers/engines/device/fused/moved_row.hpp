// A row of a field on its way to the threads of a block that eliminates it (elimination_block.hpp), and back: a
// group of threads moves the sections that are its own through shared memory, neighbouring threads at neighbours,
// by words of 16 bytes where rows hold whole ones. A group is part of a warp and waits for no others.
#pragma once

#include "elimination_task.hpp"
#include "vector_access.hpp"

namespace poisson3d::fused {

/// Where a row's numbers are in shared memory on their way: the four or eight times 16 bytes of each section in
/// turn, so that neither those who read sections nor those who write rows, by 16 bytes or by numbers, meet in
/// banks.
template <class T>
POISSON3D_HD int staged_number(int section, int node) {
    constexpr int vectors = section_nodes / vector_nodes<T>;
    static_assert(vectors == 4 || vectors == 8);
    const int turn = vectors == 8 ? (section & 7) ^ (section >> 1 & 4) : (section >> 1 & 3) ^ (section >> 3 & 2);
    const int row = vectors == 8 ? section : section ^ (section >> 3 & 1);
    return (row * section_nodes + turn * vector_nodes<T>)^node;
}

/// What one thread moves.
template <class T>
struct MovedRow {
    static constexpr int nodes = section_nodes, vector = vector_nodes<T>;
    T* row;       ///< in the field
    T* staged;    ///< in shared memory
    int section;  ///< the thread's own
    int length;   ///< of the row
    bool by_vectors;

    [[nodiscard]] POISSON3D_HD int group() const { return section / row_group * row_group; }
    /// Where the numbers of the group begin in the field, and how many are there, if the line is.
    [[nodiscard]] POISSON3D_HD T* numbers() const { return row + group() * nodes; }
    [[nodiscard]] POISSON3D_HD int count(bool there) const { return there ? length - group() * nodes : 0; }

    /// body(offset from the first of the group's numbers, where these are in shared memory, i) for as many numbers
    /// as a section has, `together` at once.
    template <int together, class Body>
    POISSON3D_HD void for_each(const Body& body) const {
        const int lane = section % row_group;
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; i += together) {
            const int j = i * row_group + lane * together;
            body(j, staged + staged_number<T>(group() + j / nodes, j % nodes), i);
        }
    }

    /// Asks for them from the field; zeros where nothing is there.
    template <int together>
    POISSON3D_HD void ask(bool there) const {
        const T* const from = numbers();
        const int most = count(there);
        for_each<together>([&](int j, T* here, int) {
            if (j < most) {
                lines::copy_to_shared<together* static_cast<int>(sizeof(T))>(from + j, here);
            } else {
                POISSON3D_UNROLL
                for (int k = 0; k < together; ++k) here[k] = T(0);
            }
        });
    }
    POISSON3D_HD void ask(bool there) const { by_vectors ? ask<vector>(there) : ask<1>(there); }
    /// From there to the field.
    template <int together>
    POISSON3D_HD void store(bool there) const {
        T value[nodes];
        T* const to = numbers();
        const int most = count(there);
        for_each<together>([&](int, const T* here, int i) {
            if constexpr (together > 1)
                lines::load_vector(here, value + i);
            else
                value[i] = *here;
        });
        for_each<together>([&](int j, const T*, int i) {
            if (j >= most) return;
            if constexpr (together > 1)
                lines::store_vector(to + j, value + i);
            else
                to[j] = value[i];
        });
    }
    POISSON3D_HD void store(bool there) const { by_vectors ? store<vector>(there) : store<1>(there); }

    /// 16 bytes of the thread's section.
    POISSON3D_HD void read(int node, T* z) const {
        lines::load_vector(staged + staged_number<T>(section, node), z);
    }
    POISSON3D_HD void write(int node, const T* z) const {
        lines::store_vector(staged + staged_number<T>(section, node), z);
    }
};

}  // namespace poisson3d::fused
