#include <algorithm>
#include <map>

#include "h5_attributes.hpp"
#include "h5_output.hpp"
#include "poisson3d/field_file.hpp"
#include "selection.hpp"
#include "vtkhdf.hpp"

namespace poisson3d {

namespace {

struct Target {
    h5::Subject subject;
    hid_t dataset;
    Extents points{};
    h5::Steps steps{};
    std::vector<bool> written{};  // one a plane: a field with a hole must not get its final name

    void mark(Index chosen, Index first, Index count) {
        std::fill_n(written.begin() + chosen * points[0] + first, count, true);
    }
};

std::vector<Attribute> describe_problem(const Grid& grid, double helmholtz) {
    std::vector<double> spacing, origin;
    std::vector<std::string> boundary, centering, labels;
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        // Programs that know no positions draw the box as large as it is.
        spacing.push_back(axis.step());
        origin.push_back(axis.positions.empty() ? axis.origin : axis.positions.front());
        boundary.emplace_back(name(axis.lower));
        boundary.emplace_back(name(axis.upper));
        centering.emplace_back(name(axis.centering));
        labels.emplace_back(1, grid.labels[a]);
    }
    std::vector<Attribute> all = attribute_list(
        Attribute{"spacing", spacing}, Attribute{"origin", origin}, Attribute{"boundary", boundary},
        Attribute{"centering", centering}, Attribute{"axis_labels", labels}, Attribute{"helmholtz", helmholtz});
    for (std::size_t a = 0; a < 3; ++a)
        for (const std::size_t side : {0U, 1U}) {
            const Axis& axis = grid.axes[a];
            if ((side == 0 ? axis.lower : axis.upper) != Boundary::robin) continue;
            const auto [alpha, beta] = axis.robin[side];
            all.push_back(Attribute{"robin_" + labels[a] + (side == 0 ? "_lower" : "_upper"),
                                    std::vector<double>{alpha, beta}});
        }
    return all;
}

}  // namespace

struct FieldWriter::State {
    explicit State(const std::string& path) : output(path) {}

    Target& target(const std::string& dataset) {
        static_cast<void>(output.file());
        const auto found = targets.find(dataset);
        if (found == targets.end())
            output.subject().fail(ErrorCode::internal, "has no dataset " + dataset + " to write to");
        return found->second;
    }

    // A data set of doubles that is written at once.
    void write_numbers(const std::string& dataset, const std::vector<hsize_t>& extents,
                       const std::vector<double>& values) {
        const h5::Quiet quiet;
        const h5::Subject about{ErrorCode::output, output.subject().name + ", dataset " + dataset};
        static_cast<void>(output.file());
        if (targets.count(dataset) != 0) about.fail(ErrorCode::usage, "was written before");
        hsize_t wanted = 1;
        for (const hsize_t extent : extents) wanted *= extent;
        if (wanted == 0 || wanted != values.size())
            about.fail(ErrorCode::usage, "found " + std::to_string(values.size()) + " values, wanted " +
                                             h5::describe_extents(extents) + ", at least one");
        output.require_space(values.size() * sizeof(double));
        const h5::Space space(about.check(
            extents.empty() ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
            "cannot describe its shape"));
        const hid_t made = output.create(about, dataset, h5::native_type<double>(), space);
        targets.emplace(dataset, Target{about, made});
        about.check(H5Dwrite(made, h5::native_type<double>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                    "cannot be written");
    }

    // Numbers of an axis, which all fields of the file share.
    void write_axis(const std::string& group, char label, const std::vector<double>& values) {
        if (const std::string dataset = group + label; targets.count(dataset) == 0)
            write_numbers(dataset, {values.size()}, values);
    }

    // Where the chosen field of the target is.
    [[nodiscard]] h5::Steps place(const Target& target) const {
        return {target.steps.extents, target.steps.extents.empty() ? 0 : chosen};
    }

    h5::Output output;
    std::map<std::string, Target> targets;
    Index chosen = 0;
};

FieldWriter::FieldWriter(const std::string& path) : state_(std::make_unique<State>(path)) {}
FieldWriter::~FieldWriter() = default;
FieldWriter::FieldWriter(FieldWriter&&) noexcept = default;
FieldWriter& FieldWriter::operator=(FieldWriter&&) noexcept = default;

void FieldWriter::require_space(std::uint64_t bytes) const {
    state_->output.require_space(bytes);
}

template <class T>
void FieldWriter::create(const std::string& dataset, const Grid& grid, double helmholtz,
                         const std::vector<Index>& leading) {
    const h5::Quiet quiet;
    const Extents points = grid.points();
    const h5::Steps steps{{leading.begin(), leading.end()}};
    state_->output.require_space(static_cast<std::uint64_t>(grid.size() * steps.count()) * sizeof(T));
    const h5::Subject subject{ErrorCode::output, state_->output.subject().name + ", dataset " + dataset};
    const h5::Space space = h5::file_space(points, 0, points[0], subject, steps);
    Target target{subject, state_->output.create(subject, dataset, h5::native_type<T>(), space), points, steps,
                  std::vector<bool>(static_cast<std::size_t>(points[0] * steps.count()), false)};
    for (const Attribute& attribute : describe_problem(grid, helmholtz))
        h5::write_attribute(target.dataset, subject, attribute);
    state_->targets.emplace(dataset, std::move(target));
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = grid.axes[a];
        if (axis.listed()) state_->write_axis("/positions/", grid.labels[a], step_ends(axis));
        if (axis.custom == Coefficients{}) continue;
        state_->write_axis("/conductances/", grid.labels[a], axis.custom.conductances);
        state_->write_axis("/weights/", grid.labels[a], axis.custom.weights);
    }
}

void FieldWriter::select(Index step) {
    state_->chosen = step;
}

template <class T>
void FieldWriter::write(const std::string& dataset, Index first, FieldView<const T> slab) {
    const h5::Quiet quiet;
    Target& target = state_->target(dataset);
    const h5::Subject& subject = target.subject;
    if (first < 0 || slab.extents[0] < 0 || first + slab.extents[0] > target.points[0] ||
        slab.extents[1] != target.points[1] || slab.extents[2] != target.points[2])
        subject.fail(ErrorCode::usage, "planes to write do not fit into the data set");
    const h5::Steps place = state_->place(target);
    for (const h5::Transfer& transfer : h5::plan_transfers(slab.extents, slab.strides)) {
        const auto memory = h5::memory_space(transfer, slab.extents, subject);
        const auto file = h5::file_space(target.points, first + transfer.first, transfer.count, subject, place);
        subject.check(H5Dwrite(target.dataset, h5::native_type<T>(), memory.get(), file.get(), H5P_DEFAULT,
                               slab.data + transfer.offset),
                      "cannot be written");
    }
    target.mark(place.chosen, first, slab.extents[0]);
}

template <class T>
void FieldWriter::read_back(const std::string& dataset, const Extents& first, FieldView<T> box) const {
    const h5::Quiet quiet;
    const Target& target = state_->target(dataset);
    const h5::Subject& subject = target.subject;
    if (!box.dense()) subject.fail(ErrorCode::internal, "is read back into views without gaps only");
    const h5::Space memory = h5::box_space(box.extents, {}, box.extents, subject);
    const h5::Space file = h5::box_space(target.points, first, box.extents, subject, state_->place(target));
    subject.check(H5Dread(target.dataset, h5::native_type<T>(), memory.get(), file.get(), H5P_DEFAULT, box.data),
                  "cannot be read back");
}

void FieldWriter::write_boundary_value(const std::string& face, double value) {
    state_->write_numbers("/boundary_values/" + face, {}, {value});
}

void FieldWriter::write_boundary_values(const std::string& face, std::array<Index, 2> extents,
                                        const std::vector<double>& values) {
    state_->write_numbers("/boundary_values/" + face,
                          {static_cast<hsize_t>(extents[0]), static_cast<hsize_t>(extents[1])}, values);
}

void FieldWriter::attributes(const std::string& dataset, const std::vector<Attribute>& attributes) {
    const h5::Quiet quiet;
    const Target& target = state_->target(dataset);
    for (const Attribute& attribute : attributes) h5::write_attribute(target.dataset, target.subject, attribute);
}

bool FieldWriter::link_vtk(const Grid& grid, const std::vector<std::string>& datasets) {
    for (const std::string& dataset : datasets) static_cast<void>(state_->target(dataset));
    if (!lies_as_vtk_image(grid)) return false;
    link_vtkhdf(state_->output.file(), state_->output.subject(), grid, datasets);
    return true;
}

OutputFile FieldWriter::finish() {
    for (const auto& [name, target] : state_->targets) {
        const auto hole = std::find(target.written.begin(), target.written.end(), false);
        if (hole != target.written.end())
            target.subject.fail(ErrorCode::internal,
                                "plane " + std::to_string(hole - target.written.begin()) + " was never written");
    }
    return state_->output.finish();
}

void FieldWriter::commit() {
    finish().publish();
}

template void FieldWriter::create<float>(const std::string&, const Grid&, double, const std::vector<Index>&);
template void FieldWriter::create<double>(const std::string&, const Grid&, double, const std::vector<Index>&);
template void FieldWriter::write(const std::string&, Index, FieldView<const float>);
template void FieldWriter::write(const std::string&, Index, FieldView<const double>);
template void FieldWriter::read_back(const std::string&, const Extents&, FieldView<float>) const;
template void FieldWriter::read_back(const std::string&, const Extents&, FieldView<double>) const;

}  // namespace poisson3d
