#include "symbol_tables.hpp"

#include "free_faces.hpp"
#include "padded_axis.hpp"
#include "padded_symbol.hpp"
#include "poisson3d/device_memory.hpp"
#include "symbol_tail.hpp"

namespace poisson3d::fused {

template <class T>
SymbolTables<T>::SymbolTables(const Problem& problem, const BoxPasses<T, Compact>& passes, int slow, int line,
                              int along, bool summed) {
    PaddedSymbol<T> tables = padded_symbol<T>(problem, !takes_constant(problem));
    symbol_.rows = static_cast<int>(symbol_rows(problem.grid.axes[along]));
    symbol_.terms = static_cast<int>(tables.terms);
    if (summed) {
        SymbolTail<T> tail = symbol_tail(tables, along);
        symbol_.head = static_cast<int>(tail.head);
        symbol_.rank = static_cast<int>(tail.rank);
        tail_ = std::move(tail.rows);
        mixing_ = std::move(tail.mixing);
    }
    const std::array<int, 3> order{slow, line, along};
    SymbolAxis<T>* const views[] = {&symbol_.slow, &symbol_.line, &symbol_.along};
    for (int i = 0; i < 3; ++i) {
        const int a = order[i];
        const Axis& axis = problem.grid.axes[a];
        axes_[i].late = std::move(tables.late[a]);
        axes_[i].early = std::move(tables.early[a]);
        axes_[i].eigenvalue = std::move(tables.eigenvalue[a]);
        for (const Index mode : passes.axis(a).mode_of())
            axes_[i].row.push_back(static_cast<std::int32_t>(symbol_row(axis, mode)));
        if (tables.free_axis < 0) continue;
        views[i]->odd = a == tables.free_axis;
        const int last = tables.free_axis == 2 ? 1 : 2;  // of the two that the gaps are of
        if (a != tables.free_axis) views[i]->gap = a == last ? 1 : symbol_rows(problem.grid.axes[last]);
    }
    symbol_.shift = tables.shift, symbol_.early_shift = tables.early_shift;
    symbol_.has_zero = tables.shift == T(0);
    symbol_.zero = tables.zero;
    gaps_ = std::move(tables.gap);
    std::vector<T>& late = axes_[2].late;
    std::vector<T> turned(late.size());
    for (Index row = 0; row < symbol_.rows; ++row)
        for (Index q = 0; q < symbol_.terms; ++q)
            turned[static_cast<std::size_t>(q * symbol_.rows + row)] =
                late[static_cast<std::size_t>(row * symbol_.terms + q)];
    late = std::move(turned);
    set_pair_rows(passes.axis(along), axes_[2].row);
    set_slots(axes_[0].row, problem.grid.axes[slow].unbounded());
}

template <class T>
void SymbolTables<T>::set_pair_rows(const DeviceAxis<T, Compact>& axis, const std::vector<std::int32_t>& rows) {
    const auto row = [&](int slot) {
        return slot == no_element ? 0U : static_cast<std::uint32_t>(rows[static_cast<std::size_t>(slot)]);
    };
    for (const Compact::Word bits : axis.tables().modes_out.words) {
        const PairMapEntry entry{bits};
        pair_rows_.push_back(row(entry.first()) | row(entry.second()) << 16);
    }
}

template <class T>
void SymbolTables<T>::set_slots(const std::vector<std::int32_t>& rows, bool in_pairs) {
    std::vector<std::ptrdiff_t> first(rows.size() + 1, -1);
    for (std::size_t slot = 0; slot < rows.size(); ++slot) {
        std::ptrdiff_t& seen = first[static_cast<std::size_t>(rows[slot])];
        if (seen < 0 || !in_pairs) {
            seen = static_cast<std::ptrdiff_t>(slots_.size());
            slots_.push_back(static_cast<std::int32_t>(slot));
            slots_.push_back(-1);
        } else {
            slots_[static_cast<std::size_t>(seen) + 1] = static_cast<std::int32_t>(slot);
        }
    }
}

/// visit(host array, where its device address goes), in the order in which they lie.
template <class T>
template <class Visit>
void SymbolTables<T>::for_each_array(const Visit& visit) {
    SymbolAxis<T>* const views[] = {&symbol_.slow, &symbol_.line, &symbol_.along};
    for (int i = 0; i < 3; ++i) {
        visit(axes_[i].late, views[i]->late);
        visit(axes_[i].early, views[i]->early);
        visit(axes_[i].eigenvalue, views[i]->eigenvalue);
        visit(axes_[i].row, views[i]->row);
    }
    visit(gaps_, symbol_.gaps);
    visit(tail_, symbol_.tail);
    visit(mixing_, symbol_.mixing);
    visit(pair_rows_, symbol_.pair_rows);
    visit(slots_, symbol_.slots);
}

template <class T>
void SymbolTables<T>::drop_tail() {
    symbol_.head = symbol_.rows;
    symbol_.rank = 0;
    tail_.clear(), mixing_.clear();
}

template <class T>
void SymbolTables<T>::reserve(WorkspaceLayout& layout) {
    WorkspaceLayout inside;
    for_each_array([&](const auto& array, auto&) { inside.take(array.size() * sizeof(array[0])); });
    offset_ = layout.take(inside.end());
}

template <class T>
void SymbolTables<T>::upload(std::byte* workspace) {
    WorkspaceLayout inside;
    for_each_array([&](const auto& array, auto& address) {
        const std::size_t bytes = array.size() * sizeof(array[0]);
        if (bytes == 0) return;  // null: there is no such table
        std::byte* const place = workspace + offset_ + inside.take(bytes);
        copy_to_device(place, array.data(), bytes);
        address = reinterpret_cast<decltype(address + 0)>(place);
    });
    synchronize();
}

template class SymbolTables<float>;
template class SymbolTables<double>;

}  // namespace poisson3d::fused
