// The tables of a symbol (padded_symbol.hpp) in device memory, as the middle pass of padded lines reads them, and
// which of their rows each slot of each axis has.
#pragma once

#include <array>
#include <vector>

#include "box_passes.hpp"
#include "summed_symbol.hpp"

namespace poisson3d::fused {

template <class T>
class SymbolTables {
public:
    /// For lines along `along`, `line` across those of a block. `summed`: with the few terms of most rows
    /// (symbol_tail.hpp).
    SymbolTables(const Problem& problem, const BoxPasses<T, Compact>& passes, int slow, int line, int along,
                 bool summed);

    /// All terms in all rows, which need less shared memory. Before reserve().
    void drop_tail();
    void reserve(WorkspaceLayout& layout);
    /// Copies the tables to the device. Synchronises.
    void upload(std::byte* workspace);

    [[nodiscard]] const SummedSymbol<T>& symbol() const { return symbol_; }
    /// Pairs of slots of the slow axis.
    [[nodiscard]] int groups() const { return static_cast<int>(slots_.size() / 2); }

private:
    struct Arrays {
        std::vector<T> late, early, eigenvalue;
        std::vector<std::int32_t> row;
    };
    void set_pair_rows(const DeviceAxis<T, Compact>& axis, const std::vector<std::int32_t>& rows);
    void set_slots(const std::vector<std::int32_t>& rows, bool in_pairs);

    template <class Visit>
    void for_each_array(const Visit& visit);

    SummedSymbol<T> symbol_;
    std::array<Arrays, 3> axes_;  ///< slow, line, along
    std::vector<T> gaps_, tail_, mixing_;
    std::vector<std::uint32_t> pair_rows_;
    std::vector<std::int32_t> slots_;
    std::size_t offset_ = 0;
};

}  // namespace poisson3d::fused
