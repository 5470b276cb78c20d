// Passes over padded lines whose outer steps are radix 8: the kernels for radix 8 alone want all elements of a
// line, those for large radices have much code that these lines do not need. Lines stay where they are, in rows and
// columns of an even number of elements.
#pragma once

#include <algorithm>

#include "axis_tables.hpp"
#include "symbol_pass.hpp"

namespace poisson3d::fused {

/// What kernels of radix 8 know where elements may be missing (KernelVariant).
template <Kind kind_>
struct PaddedVariant {
    static constexpr Kind kind = kind_;
    static constexpr Outer outer = Outer::radix8;
    using Samples = Form<kind, Side::samples>;
    using Modes = Form<kind, Side::modes>;
    static constexpr bool radix8 = true;
    static constexpr bool complete = false;
    static constexpr Words words = Words::either;
};

/// Lines that have these kernels: padded ones of type II, and DFTs.
template <class T>
bool has_padded_kernels(const AxisTables<T, Compact>& tables) {
    return tables.form == Kind::type2 && tables.outer == Outer::large && tables.samples.view.radix == 8 &&
           tables.modes.view.radix == 8 && std::ranges::all_of(tables.plan.radices.inner, [](int radix) {
               return has_inner_radix(Inner::common, radix);
           });
}

/// Calls body.template operator()<role>() for the roles they have: the first pass without boundary data.
template <class Body>
void with_padded_role(Role role, const Body& body) {
    switch (role) {
        case Role::first: return body.template operator()<Role::first>();
        case Role::forward: return body.template operator()<Role::forward>();
        case Role::backward: return body.template operator()<Role::backward>();
        case Role::last: return body.template operator()<Role::last>();
        default: return;
    }
}

/// Asynchronous on `stream`; throw Error{device} when refused.
template <class T>
void launch_padded_pass(Role role, const Task<T>& task, const BlockShape& shape, const Blocks& blocks,
                        Stream stream);
template <class T>
void launch_padded_symbol(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape,
                          bool early, Stream stream);

}  // namespace poisson3d::fused
