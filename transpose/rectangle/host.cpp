// C2R / R2C on the host: threads take panels of columns, or rows, into scratch of their own and write them back.
#include <algorithm>
#include <cstring>

#include "common/host_threads.hpp"
#include "rectangle/executors.hpp"
#include "rectangle/plan.hpp"

namespace poisson3d {

namespace {

using rectangle::Direction;
using rectangle::Kind;
using rectangle::Sweep;

struct alignas(16) Word16 {
    std::uint64_t low, high;
};

constexpr Index widest_panel = 128;            // bytes: two cache lines of every row
constexpr Index widest_piece = 128;            // bytes of an item moved at a time, if rows of it are long
constexpr Index longest_row = Index{1} << 20;  // bytes a thread holds; longer rows are cut

constexpr Index divide_up(Index a, Index b) {
    return (a + b - 1) / b;
}

/// A sweep, its tables, and how it is cut.
struct Step {
    Sweep sweep;
    std::vector<std::uint32_t> order;  ///< π of permuted columns
    Index width = 0;                   ///< elements: of a panel; of a piece of an item
    Index pieces = 0;                  ///< of a matrix: panels; rows times pieces of an item
    Index scratch_bytes = 0;

    Step(const Sweep& s, Index e) : sweep(s) {
        const rectangle::Matrices& m = s.matrices;
        if (s.kind == Kind::columns) {
            if (s.permuted) order = rectangle::row_order(m);
            width = std::min(widest_panel / e, m.pitch());
            pieces = divide_up(m.pitch(), width);
            scratch_bytes = m.m * width * e + width * static_cast<Index>(sizeof(Index));
        } else if (s.kind != Kind::rows) {
            pieces = 1;
        } else {
            width = divide_up(m.item, divide_up(m.item * e, widest_piece));
            pieces = m.m * divide_up(m.item, width);
            scratch_bytes = m.n * width * e;
        }
    }
};

/// Columns x₀ … x₀ + width − 1 of one matrix.
template <class Word>
void move_panel(const Step& step, Word* matrix, Index panel, char* scratch) {
    const Sweep& s = step.sweep;
    const Index m = s.matrices.m;
    const Index pitch = s.matrices.pitch();
    const Index x0 = panel * step.width;
    const Index width = std::min(step.width, pitch - x0);
    auto* const held = reinterpret_cast<Word*>(scratch);
    auto* const skew = reinterpret_cast<Index*>(scratch + m * step.width * static_cast<Index>(sizeof(Word)));
    const Index skew0 = x0 / s.divisor;
    for (Index x = 0; x < width; ++x) skew[x] = ((x0 + x) / s.divisor - skew0) % m;

    const auto straight = [&](auto&& move) {
        for (Index k = 0; k < m; ++k) {
            const Index row = step.order.empty() ? k : static_cast<Index>(step.order[static_cast<std::size_t>(k)]);
            for (Index x = 0; x < width; ++x) move(held[k * width + x], matrix[row * pitch + x0 + x]);
        }
    };
    const auto skewed = [&](auto&& move) {
        for (Index r = 0; r < m; ++r) {
            Word* const row = matrix + (r + skew0) % m * pitch + x0;
            for (Index x = 0; x < width; ++x) {
                const Index k = r - skew[x];
                move(held[(k < 0 ? k + m : k) * width + x], row[x]);
            }
        }
    };
    const auto read = [](Word& here, const Word& there) { here = there; };
    const auto write = [](const Word& here, Word& there) { there = here; };
    if (s.direction == Direction::c2r)
        skewed(read), straight(write);
    else
        straight(read), skewed(write);
}

/// Elements first … first + width − 1 of all items of a row.
template <class Word>
void move_row(const Step& step, Word* matrix, Index number, char* scratch) {
    const rectangle::Matrices& m = step.sweep.matrices;
    const Index row = number % m.m;
    const Index first = number / m.m * step.width;
    const Index width = std::min(step.width, m.item - first);
    Word* const items = matrix + row * m.pitch() + first;
    auto* const held = reinterpret_cast<Word*>(scratch);
    const rectangle::Maps maps(m.m, m.n);
    const rectangle::RowMap map(maps);
    const rectangle::RowStride one(map, 1);
    const auto straight = [&](auto&& move) {
        for (Index j = 0; j < m.n; ++j) move(held + j * width, items + j * m.item);
    };
    const auto shuffled = [&](auto&& move) {
        rectangle::RowImages at(map, static_cast<std::uint32_t>(row), 0);
        for (Index j = 0; j < m.n; ++j, at.advance(one)) move(held + at.image() * width, items + j * m.item);
    };
    const auto read = [&](Word* here, const Word* there) { std::copy_n(there, width, here); };
    const auto write = [&](const Word* here, Word* there) { std::copy_n(here, width, there); };
    if (step.sweep.direction == Direction::c2r)
        shuffled(read), straight(write);
    else
        straight(read), shuffled(write);
}

/// What was cut off one matrix, between it and `rest`, where item j of row i is the (j·rows + i)-th.
template <class Word>
void move_rest(const Sweep& s, Word* matrix, Word* rest) {
    const rectangle::Matrices& m = s.matrices;
    const Index closed = m.pitch();
    const Index open = closed + s.rest * m.item;
    Word* const behind = matrix + m.m * closed;
    const auto columns = [&](auto&& move) {
        for (Index i = 0; i < m.m; ++i)
            for (Index j = 0; j < s.rest; ++j)
                move(matrix + i * open + closed + j * m.item, rest + (j * m.m + i) * m.item);
    };
    const auto shift = [&](Index row, Index from, Index to) {
        std::memmove(matrix + row * to, matrix + row * from, static_cast<std::size_t>(closed) * sizeof(Word));
    };
    const Index count = s.rest * m.m * m.item;
    if (s.direction == Direction::c2r && s.kind == Kind::save_rest) {
        columns([&](const Word* there, Word* here) { std::copy_n(there, m.item, here); });
        for (Index i = 1; i < m.m; ++i) shift(i, open, closed);
    } else if (s.direction == Direction::c2r) {
        std::copy_n(rest, count, behind);
    } else if (s.kind == Kind::save_rest) {
        std::copy_n(behind, count, rest);
    } else {
        for (Index i = m.m - 1; i > 0; --i) shift(i, closed, open);
        columns([&](Word* there, const Word* here) { std::copy_n(here, m.item, there); });
    }
}

std::vector<Step> plan_steps(const DenseMatrices& matrices) {
    std::vector<Step> steps;
    for (const Sweep& sweep : rectangle::plan_sweeps(matrices, {longest_row, widest_piece}))
        steps.emplace_back(sweep, matrices.element_bytes);
    return steps;
}

/// The largest of the numbers of the steps.
template <class Number>
Index largest(const std::vector<Step>& steps, const Number& number) {
    Index result = 0;
    for (const Step& step : steps) result = std::max(result, number(step));
    return result;
}

class HostRectangle final : public InPlaceExecutor {
public:
    HostRectangle(const DenseMatrices& matrices, int threads)
        : element_bytes_(matrices.element_bytes),
          steps_(plan_steps(matrices)),
          rest_bytes_(largest(steps_, [](const Step& s) { return s.sweep.rest * s.sweep.matrices.m; }) *
                      matrices.item * element_bytes_),
          rest_(static_cast<std::size_t>(rest_bytes_ * matrices.batch)),
          threads_(host_transpose::worthwhile_threads(threads, matrices.bytes()),
                   largest(steps_, [](const Step& s) { return s.scratch_bytes; })) {}

    void run(void* data, Stream) const override {
        const auto lock = threads_.lock();
        if (element_bytes_ == 4) return move(static_cast<std::uint32_t*>(data));
        if (element_bytes_ == 8) return move(static_cast<std::uint64_t*>(data));
        move(static_cast<Word16*>(data));
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        std::vector<Sweep> sweeps;
        for (const Step& step : steps_) sweeps.push_back(step.sweep);
        return "rectangle, " + rectangle::describe(sweeps);
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        std::size_t tables = 0;
        for (const Step& step : steps_) tables += step.order.size() * sizeof(std::uint32_t);
        return threads_.all_scratch_bytes() + rest_.size() + tables;
    }

private:
    template <class Word>
    void move(Word* data) const {
        for (const Step& step : steps_) {
            const rectangle::Matrices& m = step.sweep.matrices;
            const Index piece_bytes = m.m * m.pitch() / step.pieces * element_bytes_;
            const Index chunk = std::max<Index>(1, (Index{64} << 10) / std::max<Index>(piece_bytes, 1));
            threads_.team().parallel_for(m.count() * step.pieces, chunk, [&](Index begin, Index end, int thread) {
                for (Index piece = begin; piece < end; ++piece) {
                    Word* const matrix = data + m.offset(piece / step.pieces);
                    if (step.sweep.kind == Kind::columns)
                        move_panel(step, matrix, piece % step.pieces, threads_.scratch(thread));
                    else if (step.sweep.kind != Kind::rows)
                        move_rest(step.sweep, matrix,
                                  static_cast<Word*>(rest_.data()) + piece * rest_bytes_ / element_bytes_);
                    else
                        move_row(step, matrix, piece % step.pieces, threads_.scratch(thread));
                }
            });
        }
    }

    Index element_bytes_;
    std::vector<Step> steps_;
    Index rest_bytes_;  ///< of a matrix
    HostBuffer rest_;
    host_transpose::HostThreads threads_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads) {
    return std::make_unique<HostRectangle>(matrices, threads);
}

}  // namespace poisson3d
