#include "exchange.hpp"

#include <algorithm>

namespace poisson3d {

std::pair<Index, Index> Exchange::largest() const noexcept {
    std::pair<Index, Index> most{0, 0};
    for (const Message& m : messages) {
        const bool dense = m.from_stride == m.run && m.to_stride == m.run;
        if (m.from != m.to) most = std::max(most, {m.run * m.runs, dense ? m.run * m.runs : m.run});
    }
    return most;
}

namespace {

/// Only what has elements travels.
void add(Exchange& exchange, const Message& message) {
    if (message.run > 0 && message.runs > 0) exchange.messages.push_back(message);
}

/// `planes` of every active part, cut into shares.
void add_planes(Exchange& exchange, const Parts& parts, Index planes) {
    const std::vector<int> active = parts.active();
    for (int to = 0; to < parts.members(); ++to)
        for (std::size_t p = 0; p < active.size(); ++p)
            add(exchange,
                {active[p], to, parts.first_line_of(to), static_cast<Index>(p) * planes * parts.lines_of(to),
                 parts.lines_of(to), planes, parts.lines(), parts.lines_of(to)});
}

}  // namespace

Exchange links_to_shares(const Parts& parts) {
    Exchange exchange{MemberBuffer::planes, MemberBuffer::shares, {}};
    add_planes(exchange, parts, 3);
    return exchange;
}

Exchange planes_to_shares(const Parts& parts, bool constant_line) {
    Exchange exchange{MemberBuffer::planes, MemberBuffer::shares, {}};
    add_planes(exchange, parts, 2);
    const std::vector<int> active = parts.active();
    const int owner = parts.owner_of_constant();
    if (constant_line)
        for (const int from : active) {
            const Part& part = parts.parts[static_cast<std::size_t>(from)];
            add(exchange, {from, owner, 2 * parts.lines(),
                           2 * static_cast<Index>(active.size()) * parts.lines_of(owner) + part.first_unknown,
                           part.unknowns});
        }
    return exchange;
}

Exchange potentials_to_ends(const Parts& parts, bool constant_line) {
    Exchange exchange{MemberBuffer::potentials, MemberBuffer::ends, {}};
    const std::vector<int> active = parts.active();
    const std::size_t count = active.size();
    for (std::size_t p = 0; p < count; ++p)
        for (int from = 0; from < parts.members(); ++from) {
            const Index lines = parts.lines_of(from), first = parts.first_line_of(from), all = parts.lines();
            const auto at = static_cast<Index>(p) * lines;
            if (p > 0) {
                add(exchange, {from, active[p], at - lines, first, lines, 2, lines, all});
            } else {  // its left neighbour is the last one, of a ring
                add(exchange, {from, active[p], static_cast<Index>(count - 1) * lines, first, lines});
                add(exchange, {from, active[p], at, all + first, lines});
            }
        }
    const int owner = parts.owner_of_constant();
    if (constant_line)
        for (int to = 0; to < parts.members(); ++to) {
            const Part& part = parts.parts[static_cast<std::size_t>(to)];
            const Index line = static_cast<Index>(count) * parts.lines_of(owner);
            const Index end = 2 * parts.lines();
            add(exchange, {owner, to, line + part.first_unknown, end, part.unknowns});
            add(exchange, {owner, to, line + parts.unknowns[0], end + part.unknowns, 1});
        }
    return exchange;
}

Exchange planes_to_neighbours(const Parts& parts, bool ring) {
    Exchange exchange{MemberBuffer::planes, MemberBuffer::ends, {}};
    const std::vector<int> active = parts.active();
    const std::size_t count = active.size();
    for (std::size_t p = 0; p < count; ++p) {
        const std::size_t before = (p + count - 1) % count, after = (p + 1) % count;
        if (ring || p > 0) add(exchange, {active[before], active[p], 0, 0, parts.lines()});
        if (ring || p + 1 < count)
            add(exchange, {active[after], active[p], parts.lines(), parts.lines(), parts.lines()});
    }
    return exchange;
}

namespace {

/// Some planes of each part, and of these some rows of each share: as they go to the middle.
template <class PlanesOf, class RowsOf>
std::vector<Message> blocks(const Parts& parts, const PlanesOf& planes_of, const RowsOf& rows_of) {
    Exchange there{};
    // A dense field (x, y, z), of which a share has some y, or some z.
    const bool shares_y = parts.across == 2;
    const Index inside = shares_y ? parts.unknowns[2] : 1;
    const Index rows = shares_y ? 1 : parts.unknowns[1];
    for (int to = 0; to < parts.members(); ++to)
        for (int from = 0; from < parts.members(); ++from) {
            const Part& part = parts.parts[static_cast<std::size_t>(from)];
            const Planes planes = planes_of(from), some = rows_of(to);
            const Index first = parts.share_first[static_cast<std::size_t>(to)] + some.first;
            const Index place = planes.first * parts.lines() + first * inside;
            const Index run = some.count * inside, runs = planes.count * rows, stride = parts.lines() / rows;
            if (parts.one_field && parts.planes_first) {  // from where it is to the same place
                if (from == to) continue;
                const Index at = part.first_unknown * parts.lines() + place;
                add(there, {from, to, at, at, run, runs, stride, stride});
                continue;
            }
            if (parts.one_field) {
                if (from == to) continue;
                const Index line = parts.unknowns[0] * inside;
                const Index at = first * line + (part.first_unknown + planes.first) * inside;
                add(there, {from, to, at, at, planes.count * inside, some.count, line, line});
                continue;
            }
            if (parts.rows_first) {
                if (from == to && parts.direct) continue;
                const Index here = part.unknowns * inside, line = parts.unknowns[0] * inside;
                add(there, {from, to, first * here + planes.first * inside,
                            some.first * line + (part.first_unknown + planes.first) * inside, planes.count * inside,
                            some.count, here, line});
                continue;
            }
            const Index row = parts.share(to) * inside;
            add(there, {from, to, place, (part.first_unknown + planes.first) * rows * row + some.first * inside,
                        run, runs, stride, row});
        }
    return there.messages;
}

/// Each after all others.
void add_order(Exchange& exchange, const Parts& parts) {
    for (int to = 0; to < parts.members(); ++to)
        for (int from = 0; from < parts.members(); ++from)
            if (from != to) exchange.messages.push_back({from, to, 0, 0, 0, 0});
}

Planes all_or_piece(const Parts& parts, int member, int piece) {
    return piece == all_pieces ? Planes{0, parts.share(member)} : parts.piece(member, piece);
}

/// Those of `some` from `first` on, or those before it.
Planes from(Index first, const Planes& some) {
    const Index begin = std::clamp(first, some.first, some.first + some.count);
    return {begin, some.first + some.count - begin};
}
Planes before(Index first, const Planes& some) {
    return {some.first, std::clamp(first - some.first, Index{0}, some.count)};
}

}  // namespace

Exchange inner_to_across(const Parts& parts, int chunk, int piece) {
    Exchange exchange{MemberBuffer::inner, MemberBuffer::across, {}};
    exchange.messages = blocks(
        parts, [&](int member) { return parts.chunk(member, chunk); },
        [&](int member) { return from(parts.stored_rows(member), all_or_piece(parts, member, piece)); });
    if (parts.stored > 0.0 && chunk + 1 == parts.chunks && piece <= 0) add_order(exchange, parts);
    return exchange;
}

Exchange across_to_inner(const Parts& parts, int chunk, int piece) {
    Exchange exchange{MemberBuffer::across, MemberBuffer::inner, {}};
    const std::vector<Message> there = blocks(
        parts, [&](int member) { return before(parts.stored_planes(member).first, parts.chunk(member, chunk)); },
        [&](int member) { return all_or_piece(parts, member, piece); });
    for (const Message& m : there)
        exchange.messages.push_back(
            {m.to, m.from, m.to_offset, m.from_offset, m.run, m.runs, m.to_stride, m.from_stride});
    const bool last_piece = piece == all_pieces || piece + 1 == parts.pieces;
    if (parts.stored > 0.0 && chunk + 1 == parts.chunks && last_piece) add_order(exchange, parts);
    // The mean that the owner of the constant line removed.
    const int owner = parts.owner_of_constant();
    for (int to = 0; to < parts.members() && chunk == 0 && last_piece; ++to)
        add(exchange, {owner, to, parts.mean_across(owner), parts.mean_inner(to), 1});
    std::stable_sort(exchange.messages.begin(), exchange.messages.end(),
                     [](const Message& a, const Message& b) { return a.to < b.to; });
    return exchange;
}

Exchange rows_to_columns(const std::vector<Parts>& columns) {
    Exchange exchange{MemberBuffer::rows, MemberBuffer::columns, {}};
    const auto count = static_cast<int>(columns.size());
    for (int row = 0; row < columns[0].members(); ++row)
        for (int to = 0; to < count; ++to)
            for (int from = 0; from < count; ++from) {
                const Index planes = columns[from].parts[static_cast<std::size_t>(row)].unknowns;
                const Planes share = columns[to].z_modes;
                const Part& y = columns[from].y;
                const Index apart = columns[to].column_pitch;
                add(exchange, {row * count + from, row * count + to, share.first, y.first_unknown * planes * apart,
                               share.count, y.unknowns * planes, columns[from].row_pitch, apart});
            }
    return exchange;
}

Exchange columns_to_rows(const std::vector<Parts>& columns) {
    Exchange exchange{MemberBuffer::columns, MemberBuffer::rows, {}};
    for (const Message& m : rows_to_columns(columns).messages)
        exchange.messages.push_back(
            {m.to, m.from, m.to_offset, m.from_offset, m.run, m.runs, m.to_stride, m.from_stride});
    const auto count = static_cast<int>(columns.size());
    for (int from = 0; from < count; ++from)
        for (int row = 0; row < columns[from].members() && columns[from].has_constant(); ++row)
            for (int to = 0; to < count; ++to)
                add(exchange, {row * count + from, row * count + to, columns[from].mean_columns(row),
                               columns[to].mean_rows(row), 1});
    return exchange;
}

Exchange samples_to_all(int members, const SampleOrder& order) {
    Exchange exchange{MemberBuffer::samples, MemberBuffer::samples, {}};
    for (int to = 0; to < members; ++to)
        for (int from = 0; from < members; ++from)
            if (from != to) {
                const Index first = order.before(from), end = order.before(from + 1);
                add(exchange, {from, to, first, first, end - first});
            }
    return exchange;
}

Exchange gauge_to_all(int members, int owner) {
    Exchange exchange{MemberBuffer::gauge, MemberBuffer::gauge, {}};
    for (int to = 0; to < members; ++to) add(exchange, {owner, to, 0, 1, 1});
    return exchange;
}

Exchange sums_to_all(int members) {
    Exchange exchange{MemberBuffer::gauge, MemberBuffer::gauge, {}};
    for (int to = 0; to < members; ++to)
        for (int from = 0; from < members; ++from) add(exchange, {from, to, 2, 4 + 2 * from, 2});
    return exchange;
}

template <class T>
std::vector<Transfer> transfers_of(const Exchange& exchange, const std::vector<MemberEngine<T>*>& members) {
    const auto buffer = [&](int member, MemberBuffer which) -> T* {
        MemberEngine<T>* const engine = members[static_cast<std::size_t>(member)];
        return engine == nullptr ? nullptr : engine->buffer(which);
    };
    constexpr auto size = static_cast<Index>(sizeof(T));
    std::vector<Transfer> list;
    for (const Message& m : exchange.messages) {
        const T* const from = buffer(m.from, exchange.from);
        T* const to = buffer(m.to, exchange.to);
        list.push_back({m.from, m.to,
                        from == nullptr ? nullptr : reinterpret_cast<const std::byte*>(from + m.from_offset),
                        to == nullptr ? nullptr : reinterpret_cast<std::byte*>(to + m.to_offset), m.run * size,
                        m.runs, m.from_stride * size, m.to_stride * size});
    }
    return list;
}

template std::vector<Transfer> transfers_of(const Exchange&, const std::vector<MemberEngine<float>*>&);
template std::vector<Transfer> transfers_of(const Exchange&, const std::vector<MemberEngine<double>*>&);

}  // namespace poisson3d
