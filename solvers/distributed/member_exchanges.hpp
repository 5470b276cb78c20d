// All exchanges of a DistributedSolver, prepared once: between the phases of members, chunk by chunk, and what
// members on devices need beside them.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "chain_tables.hpp"
#include "exchange.hpp"
#include "poisson3d/distributed.hpp"
#include "sample_order.hpp"

namespace poisson3d {

template <class T>
class MemberExchanges {
public:
    /// `members`: by number, null if not mine. Exchanges are run by `team`, on devices in `streams`, both of which
    /// must outlive this.
    MemberExchanges(const Problem& problem, const Decomposition& boxes, const std::vector<Parts>& columns,
                    Method method, Way way, Transport& transport, const std::vector<MemberEngine<T>*>& members,
                    ThreadTeam& team, const std::vector<Stream>& streams)
        : team_(team),
          streams_(streams),
          sent_(static_cast<std::size_t>(boxes.members())),
          sent_in_rows_(sent_.size()),
          whole_(columns[0].chunks - 1),
          pieces_(columns[0].pieces) {
        const auto prepare = [&](const Exchange& exchange) {
            return transport.prepare_small(way_.way, transfers_of(exchange, members));
        };
        const bool stores = columns[0].stored > 0.0;
        const auto largest = [](const Exchange& exchange) {
            const auto [elements, run] = exchange.largest();
            return MessageSize(elements * static_cast<Index>(sizeof(T)), run * static_cast<Index>(sizeof(T)));
        };
        const auto counted = [&](const Exchange& exchange, const ChosenWay& by, std::vector<Traffic>& sent) {
            for (const Message& message : exchange.messages)
                if (message.from != message.to)
                    count(sent, message.from, 1, static_cast<double>(message.run * message.runs));
            return transport.prepare_by(by.way, transfers_of(exchange, members));
        };
        const auto in_columns = [&](const auto& exchange_of) { return of_columns(boxes, columns, exchange_of); };
        const bool transposes = method == Method::transpose;
        const auto constant_line = [&](const Parts& parts) {
            return parts.has_constant() && lines::has_constant_line(problem, 0);
        };
        for (int row = 0; stores && row < columns[0].members(); ++row)
            count(sent_, boxes.member(row, 0), 0, columns[0].elements_stored_by(row));
        if (stores || columns[0].direct) {
            const std::vector<T*> inner = fields(MemberBuffer::inner, boxes, members, transport, stores);
            const std::vector<T*> across = fields(MemberBuffer::across, boxes, members, transport, stores);
            for (MemberEngine<T>* const member : members)
                if (member != nullptr) member->store_into(inner, across);
        }
        for (int e = 0; e < whole_ + pieces_; ++e) {
            const int c = std::min(e, whole_), piece = e < whole_ ? all_pieces : e - whole_;
            const Exchange there = in_columns([&](const Parts& parts) {
                return transposes ? inner_to_across(parts, c, piece)
                                  : planes_to_shares(parts, constant_line(parts));
            });
            if (e == 0) way_ = transport.choose(stores ? Way::passes : way, largest(there).bytes);
            there_.push_back(counted(there, way_, sent_));
            back_.push_back(counted(in_columns([&](const Parts& parts) {
                                        return transposes ? across_to_inner(parts, c, piece)
                                                          : potentials_to_ends(parts, constant_line(parts));
                                    }),
                                    way_, sent_));
        }
        if (columns.size() > 1) {
            const Exchange there = of_members(boxes, rows_to_columns(columns));
            rows_way_ = transport.choose(way, largest(there));
            rows_there_ = counted(there, rows_way_, sent_in_rows_);
            rows_back_ = counted(of_members(boxes, columns_to_rows(columns)), rows_way_, sent_in_rows_);
        }
        if (!transposes) {
            const bool ring = problem.grid.axes[0].periodic();
            beside_ = prepare(in_columns([&](const Parts& parts) { return planes_to_neighbours(parts, ring); }));
            links_ = prepare(in_columns(links_to_shares));
        }
        if (transport.device(transport.mine().front()) < 0) return;
        std::vector<Transfer> from_first, to_first;
        for (int m = 1; m < boxes.members(); ++m) {
            from_first.push_back({0, m, nullptr, nullptr, 0, 0, 0, 0});
            to_first.push_back({m, 0, nullptr, nullptr, 0, 0, 0, 0});
        }
        fork_ = transport.prepare(from_first), join_ = transport.prepare(to_first);
        if (!singular(problem)) return;
        samples_ = prepare(samples_to_all(boxes.members(), *columns[0].samples));
        if (!problem.gauge.point) return;
        const auto [i, j, k] = *problem.gauge.point;
        gauge_ = prepare(gauge_to_all(boxes.members(), boxes.owner(i, j, k)));
    }

    /// In a solve of one field, to the middle and back; and of pencils before and after.
    [[nodiscard]] Traffic sent_by(int member) const { return sent_[static_cast<std::size_t>(member)]; }
    [[nodiscard]] Traffic sent_in_rows_by(int member) const {
        return sent_in_rows_[static_cast<std::size_t>(member)];
    }
    [[nodiscard]] const ChosenWay& way() const noexcept { return way_; }
    [[nodiscard]] const ChosenWay& rows_way() const noexcept { return rows_way_; }  ///< of pencils, within rows

    /// To the middle and back: what is sent by begin is there after end. A chunk is sent when its planes are ready;
    /// of the last one a piece is sent back, as the first of all, when its lines along x are.
    void begin_there(int chunk) {
        for_chunk(chunk, [&](std::size_t e) { there_[e]->begin(team_, streams_); });
    }
    /// All planes of a piece, of which the first one comes with all other chunks.
    void end_there(int piece) {
        for (int chunk = 0; chunk < whole_ && piece == 0; ++chunk)
            there_[static_cast<std::size_t>(chunk)]->end(team_, streams_);
        there_[static_cast<std::size_t>(whole_ + piece)]->end(team_, streams_);
    }
    void begin_back(int piece) {
        back_[static_cast<std::size_t>(whole_ + piece)]->begin(team_, streams_);
        for (int chunk = whole_ - 1; chunk >= 0 && piece + 1 == pieces_; --chunk)
            back_[static_cast<std::size_t>(chunk)]->begin(team_, streams_);
    }
    void end_back(int chunk) {
        for_chunk(chunk, [&](std::size_t e) { back_[e]->end(team_, streams_); });
    }

    /// Of pencils: within rows, before and after the above.
    void rows_there() { rows_there_->run(team_, streams_); }
    void rows_back() { rows_back_->run(team_, streams_); }

    void planes_beside() { beside_->run(team_, streams_); }  ///< for products
    void links() { links_->run(team_, streams_); }           ///< while planning

    /// Members on devices: what they do next comes after what the first one has done, or before what it does.
    void fork() {
        if (fork_) fork_->run(team_, streams_);
    }
    void join() {
        if (join_) join_->run(team_, streams_);
    }
    void samples() { samples_->run(team_, streams_); }
    void gauge() { gauge_->run(team_, streams_); }

private:
    static void count(std::vector<Traffic>& all, int from, Index messages, double elements) {
        Traffic& sent = all[static_cast<std::size_t>(from)];
        sent.messages += messages;
        sent.bytes += static_cast<double>(sizeof(T)) * elements;
    }

    /// A buffer of each row's member, null where this process does not reach it; a call of all members if it does.
    std::vector<T*> fields(MemberBuffer which, const Decomposition& boxes,
                           const std::vector<MemberEngine<T>*>& members, Transport& transport, bool reach) {
        std::vector<std::byte*> places;
        for (MemberEngine<T>* const member : members)
            places.push_back(member == nullptr ? nullptr : reinterpret_cast<std::byte*>(member->buffer(which)));
        if (reach) {
            ReachedPlaces reached = transport.reached(places);
            places = std::move(reached.of);
            reached_.push_back(std::move(reached.kept));
        }
        std::vector<T*> all;
        for (int row = 0; row < boxes.shape()[0]; ++row)
            all.push_back(reinterpret_cast<T*>(places[static_cast<std::size_t>(boxes.member(row, 0))]));
        return all;
    }

    /// body(number of an exchange) of a chunk, or of the pieces of the last one.
    template <class Body>
    void for_chunk(int chunk, const Body& body) const {
        const int count = chunk == whole_ ? pieces_ : 1;
        for (int e = chunk; e < chunk + count; ++e) body(static_cast<std::size_t>(e));
    }

    /// An exchange of each column, whose members are numbered in the column.
    template <class ExchangeOf>
    static Exchange of_columns(const Decomposition& boxes, const std::vector<Parts>& columns,
                               const ExchangeOf& exchange_of) {
        Exchange all = exchange_of(columns[0]);
        all.messages.clear();
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (Message message : exchange_of(columns[c]).messages) {
                message.from = boxes.member(message.from, static_cast<int>(c));
                message.to = boxes.member(message.to, static_cast<int>(c));
                all.messages.push_back(message);
            }
        return all;
    }
    /// One whose members are numbered row by row.
    static Exchange of_members(const Decomposition& boxes, Exchange exchange) {
        const int columns = boxes.shape()[1];
        for (Message& message : exchange.messages) {
            message.from = boxes.member(message.from / columns, message.from % columns);
            message.to = boxes.member(message.to / columns, message.to % columns);
        }
        return exchange;
    }

    ThreadTeam& team_;
    const std::vector<Stream>& streams_;
    std::vector<Traffic> sent_, sent_in_rows_;  ///< by each member
    ChosenWay way_, rows_way_;
    std::vector<std::shared_ptr<const void>> reached_;  ///< what passes store into, which exchanges order
    int whole_, pieces_;  ///< chunks that are exchanged as a whole, and the pieces of the last one
    std::vector<std::unique_ptr<Transfers>> there_, back_;  ///< of those, then of these
    std::unique_ptr<Transfers> rows_there_, rows_back_, beside_, links_, fork_, join_, samples_, gauge_;
};

}  // namespace poisson3d
