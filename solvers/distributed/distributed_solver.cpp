// DistributedSolver: the phases of all members in turn, and exchanges between them (member.hpp).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "boundary_terms.hpp"
#include "chain_tables.hpp"
#include "exchange.hpp"
#include "field_checks.hpp"
#include "middle_axis.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/home_process.hpp"
#include "poisson3d/text.hpp"
#include "range.hpp"
#include "spectrum.hpp"

namespace poisson3d {

namespace {

/// Shares as even as can be.
template <class T>
Parts make_parts(const Problem& problem, const Decomposition& slabs) {
    Parts parts;
    const int members = slabs.members();
    for (int m = 0; m < members; ++m) parts.parts.push_back(part_of(problem, slabs.first(m), slabs.planes(m)));
    for (int a = 0; a < 3; ++a) parts.unknowns[a] = axis_kind(problem.grid.axes[a]).unknowns;
    parts.across = host_axis_across<T>(parts.unknowns);
    const Index slow = parts.unknowns[parts.slow_axis()];
    for (Index m = 0; m <= members; ++m) parts.share_first.push_back(slow * m / members);
    return parts;
}

Method choose_method(const Problem& problem, Method wanted) {
    const std::string why = elimination_refused(problem, 0);
    if (wanted == Method::eliminate && !why.empty())
        throw Error(ErrorCode::unsupported, "axis " + std::string(1, problem.grid.labels[0]) +
                                                ", which members share, cannot be eliminated: " + why +
                                                ", wanted the method automatic or transpose");
    const Method method = wanted == Method::transpose || !why.empty() ? Method::transpose : Method::eliminate;
    for (int a = 0; a < 3 && method == Method::transpose; ++a)
        if (!has_fast_transform(problem.grid.axes[a]))
            throw Error(ErrorCode::unsupported,
                        std::string("axis ") + problem.grid.labels[a] +
                            " has positions, widths, coefficients or a Robin face, which the method transpose cannot "
                            "have" +
                            (why.empty() ? ", wanted automatic or eliminate" : "; nor can eliminate: " + why));
    return method;
}

/// What a member adds at the faces that its planes touch.
template <class T>
BoundaryTerms<T> terms_of(const BoundaryTerms<T>& whole, const Part& part) {
    BoundaryTerms<T> terms = whole;
    terms.first[0] = part.first_stored;
    terms.last[0] = part.first_stored + part.unknowns - 1;
    if (part.unknowns == 0 || part.first_unknown > 0) terms.factor[0][0] = T(0);
    if (part.unknowns == 0 || part.first_unknown + part.unknowns < part.all_unknowns) terms.factor[0][1] = T(0);
    return terms;
}

}  // namespace

template <class T>
struct DistributedSolver<T>::Plan {
    Problem problem;
    Decomposition slabs;
    Communicator members;
    DistributedOptions options;
    Method method;
    Parts parts;
    bool constant_line;
    int halvings;
    ThreadTeam team;  ///< a thread for a member
    std::vector<std::unique_ptr<MemberEngine<T>>> owned;
    std::vector<MemberEngine<T>*> engines;
    std::vector<BoundaryTerms<T>> terms;
    Exchange there, back, beside;
    std::vector<Call<T>> calls;
    std::vector<FieldBatch<const T>> one_f;
    std::vector<FieldBatch<T>> one_u;
    std::vector<Result> results;
    Index fields = 1;  ///< of the last call
    HomeProcess home{};

    Plan(const Problem& for_problem, const Decomposition& decomposition, const Communicator& all,
         const DistributedOptions& how)
        : problem(for_problem),
          slabs(decomposition),
          members(all),
          options(how),
          method(choose_method(problem, how.method)),
          parts(make_parts<T>(problem, slabs)),
          constant_line(lines::has_constant_line(problem, 0)),
          halvings(halving<T>(problem)),
          team(members.size()) {
        const SplitMethod split =
            method == Method::eliminate ? SplitMethod::eliminated : SplitMethod::transposed;
        const int processors = options.threads > 0 ? options.threads : available_threads();
        Options each;
        each.threads = std::max(1, processors / members.size());
        const BoundaryTerms<T> whole = make_boundary_terms<T>(problem.grid);
        for (int m = 0; m < members.size(); ++m) {
            owned.push_back(make_host_member<T>(problem, each, split, parts, m));
            engines.push_back(owned.back().get());
            terms.push_back(terms_of(whole, parts.parts[static_cast<std::size_t>(m)]));
        }
        calls.resize(engines.size());
        one_f.resize(engines.size());
        one_u.resize(engines.size());
        results.resize(static_cast<std::size_t>(options.batch));
        if (method == Method::transpose) {
            there = inner_to_across(parts);
            back = across_to_inner(parts);
            return;
        }
        there = planes_to_shares(parts, constant_line);
        back = potentials_to_ends(parts, constant_line);
        beside = planes_to_neighbours(parts, problem.grid.axes[0].periodic());
        for_each_member([&](int m) { engines[static_cast<std::size_t>(m)]->reduce_links(); });
        exchange(links_to_shares(parts));
        for_each_member([&](int m) { engines[static_cast<std::size_t>(m)]->keep_links(); });
    }

    template <class Body>
    void for_each_member(const Body& body) {
        team.parallel_for(members.size(), 1, [&](Index begin, Index end, int) {
            for (Index m = begin; m < end; ++m) body(static_cast<int>(m));
        });
    }
    void exchange(const Exchange& what) { execute<T>(what, engines, team); }

    void run(ModeOperation operation, std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
             std::span<const BoundaryData<T>> boundary, T scale) {
        home.require_here("this solver");
        check(f, u, boundary);
        fields = f[0].count;
        const auto factor = static_cast<double>(scale);
        const int s = halving<T>(halvings, factor);
        bool any = false;
        for (const BoundaryData<T>& data : boundary) any = any || !data.zero();
        for (std::size_t m = 0; m < calls.size(); ++m) {
            const BoundaryData<T> data = boundary.empty() ? BoundaryData<T>{} : boundary[m];
            calls[m] = {operation,  f[m].first, u[m].first, std::ldexp(factor, -s), terms[m].with_data(data).halved(s),
                        f[m].count, f[m].stride, u[m].stride, std::ldexp(1.0, s)};
            calls[m].boundary.any = any;
        }
        for (Index b = 0; b < fields; ++b) run_field(operation, b);
    }

    /// One field of each member.
    void run(ModeOperation operation, std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
             std::span<const BoundaryData<T>> boundary, T scale) {
        require_count(f.size(), "views of f");
        require_count(u.size(), "views of u");
        std::transform(f.begin(), f.end(), one_f.begin(), [](const auto& view) { return FieldBatch(view, 1, 0); });
        std::transform(u.begin(), u.end(), one_u.begin(), [](const auto& view) { return FieldBatch(view, 1, 0); });
        run(operation, one_f, one_u, boundary, scale);
    }

    void run_field(ModeOperation operation, Index b) {
        const Constant<T> shift = singular(problem) ? shift_of(b) : Constant<T>{};
        const bool multiplies = operation == ModeOperation::multiply;
        const auto engine = [&](int m) { return engines[static_cast<std::size_t>(m)]; };
        const auto call = [&](int m) { return calls[static_cast<std::size_t>(m)].part(b, 1); };
        for_each_member([&](int m) { engine(m)->forward(call(m), shift); });
        exchange(multiplies && method == Method::eliminate ? beside : there);
        if (!multiplies || method == Method::transpose) {
            for_each_member([&](int m) { engine(m)->middle(); });
            exchange(back);
        }
        for_each_member([&](int m) { engine(m)->backward(call(m)); });
        if (!multiplies && singular(problem) && problem.gauge.point) fix_gauge(b);
        results[static_cast<std::size_t>(b)] = engines[0]->result();
    }

    /// u := u − its value at the gauge point.
    void fix_gauge(Index b) {
        const std::array<Index, 3>& point = *problem.gauge.point;
        const int owner = slabs.owner(point[0]);
        const T value = calls[static_cast<std::size_t>(owner)].part(b, 1).u(point[0] - slabs.first(owner), point[1],
                                                                            point[2]);
        for_each_member([&](int m) {
            engines[static_cast<std::size_t>(m)]->subtract(calls[static_cast<std::size_t>(m)].part(b, 1).u, value);
        });
    }

    /// The constant that is taken from f, from the samples that one member would take.
    Constant<T> shift_of(Index b) const {
        const Extents points = problem.grid.points();
        const Samples samples(dense_strides(points), points);
        return typical_value<T>(samples, [&](int group, Index s) -> const T* {
            const Index at = samples.first(group, s);
            const Index k = at % points[2], j = at / points[2] % points[1], i = at / points[2] / points[1];
            const int owner = slabs.owner(i);
            return &calls[static_cast<std::size_t>(owner)].part(b, 1).f(i - slabs.first(owner), j, k);
        });
    }

    void require_count(std::size_t found, const char* what) const {
        if (found != engines.size())
            throw Error(ErrorCode::usage, "found " + std::to_string(found) + " " + what + ", wanted " +
                                              std::to_string(engines.size()) + ", one for each of my members");
    }

    void check(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
               std::span<const BoundaryData<T>> boundary) const {
        const std::size_t mine = engines.size();
        require_count(f.size(), "views of f");
        require_count(u.size(), "views of u");
        if (!boundary.empty()) require_count(boundary.size(), "sets of boundary data");
        for (std::size_t m = 0; m < mine; ++m) {
            if (f[m].count != f[0].count)
                throw Error(ErrorCode::usage, "member " + std::to_string(m) + ": found " +
                                                  std::to_string(f[m].count) + " fields, wanted " +
                                                  std::to_string(f[0].count) + ", as many as of the first member");
            require_fields(f[m].count, u[m].count, options.batch);
            const Extents points = slabs.box(static_cast<int>(m)).points;
            if (points[0] == 0) continue;
            const std::string who = " of member " + std::to_string(m);
            require_view(points, f[m].first, ("f" + who).c_str());
            require_view(points, u[m].first, ("u" + who).c_str());
            if (!boundary.empty()) require_possible(problem, boundary[m]);
        }
    }
};

template <class T>
DistributedSolver<T>::DistributedSolver(const Problem& problem, const Decomposition& parts,
                                        const Communicator& members, const DistributedOptions& options) {
    validate(problem);
    require_threads(options.threads);
    require_batch(options.batch);
    validate_range<T>(problem);
    if (parts.points() != problem.grid.points())
        throw Error(ErrorCode::usage, "the decomposition is that of another grid than the problem's");
    if (parts.members() != members.size())
        throw Error(ErrorCode::usage, "found a decomposition for " + std::to_string(parts.members()) +
                                          " members, wanted " + std::to_string(members.size()) +
                                          ", those of the communicator");
    require_no_resonance(problem, std::numeric_limits<T>::epsilon());
    plan_ = std::make_unique<Plan>(problem, parts, members, options);
}

template <class T>
DistributedSolver<T>::~DistributedSolver() = default;
template <class T>
DistributedSolver<T>::DistributedSolver(DistributedSolver&&) noexcept = default;
template <class T>
DistributedSolver<T>& DistributedSolver<T>::operator=(DistributedSolver&&) noexcept = default;

template <class T>
void DistributedSolver<T>::solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale) {
    solve(f, u, {}, scale);
}

template <class T>
void DistributedSolver<T>::solve(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u,
                                 std::span<const BoundaryData<T>> boundary, T scale) {
    plan_->run(ModeOperation::divide, f, u, boundary, scale);
}

template <class T>
void DistributedSolver<T>::solve(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
                                 std::span<const BoundaryData<T>> boundary, T scale) {
    plan_->run(ModeOperation::divide, f, u, boundary, scale);
}

template <class T>
void DistributedSolver<T>::apply(std::span<const FieldView<const T>> f, std::span<const FieldView<T>> u, T scale) {
    plan_->run(ModeOperation::multiply, f, u, {}, scale);
}

template <class T>
Result DistributedSolver<T>::result() const {
    return plan_->results.front();
}

template <class T>
std::vector<Result> DistributedSolver<T>::results() const {
    return {plan_->results.begin(), plan_->results.begin() + plan_->fields};
}

template <class T>
Method DistributedSolver<T>::method() const noexcept {
    return plan_->method;
}

template <class T>
Traffic DistributedSolver<T>::traffic() const noexcept {
    return {plan_->there.count() + plan_->back.count(),
            static_cast<double>(sizeof(T)) * static_cast<double>(plan_->there.elements() + plan_->back.elements())};
}

template <class T>
std::size_t DistributedSolver<T>::workspace() const noexcept {
    std::size_t sum = 0;
    for (const MemberEngine<T>* engine : plan_->engines) sum += engine->workspace();
    return sum;
}

template <class T>
std::string DistributedSolver<T>::description() const {
    const char letter = plan_->problem.grid.labels[0];
    const std::string how = plan_->method == Method::eliminate ? " eliminated over " : " transposed over ";
    return letter + how + plan_->members.description() + ", each " + plan_->engines[0]->description();
}

template class DistributedSolver<float>;
template class DistributedSolver<double>;

}  // namespace poisson3d
