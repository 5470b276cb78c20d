// Fields, axes and face values in an HDF5 file, as FieldWriter hands them over.
#include <hdf5_hl.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "field_sink.hpp"
#include "finite.hpp"
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

// About 1 MiB, and whole planes where they are not larger: slabs are written from the first plane on, so that a
// chunk is whole, and deflated once, soon after it was begun. None holds points of two steps.
std::vector<hsize_t> chunk_of(const Extents& points, std::size_t bytes, std::size_t leading) {
    std::vector<hsize_t> chunk(leading + 3, 1);
    Index room = std::max<Index>(1, (Index{1} << 20) / static_cast<Index>(bytes));
    for (const std::size_t a : {2U, 1U, 0U}) {
        const Index count = std::clamp<Index>(room, 1, points[a]);
        chunk[leading + a] = static_cast<hsize_t>(count);
        room /= count;
    }
    return chunk;
}

class Hdf5Sink final : public FieldSink {
public:
    Hdf5Sink(const std::string& path, WriteOptions options) : options_(std::move(options)), output_(path) {}

    void require_holds(const Grid&, int) const override {}
    void require_space(std::uint64_t bytes) const override { output_.require_space(bytes); }

    void create(const std::string& dataset, const Grid& grid, double helmholtz, std::size_t bytes,
                const std::vector<Index>& leading) override {
        const h5::Quiet quiet;
        const Extents points = grid.points();
        const h5::Steps steps{{leading.begin(), leading.end()}};
        // What compression leaves is not known before.
        if (options_.compress == 0)
            output_.require_space(static_cast<std::uint64_t>(grid.size() * steps.count()) * bytes);
        const h5::Subject subject{ErrorCode::output, output_.subject().name + ", dataset " + dataset};
        const h5::Space space = h5::file_space(points, 0, points[0], subject, steps);
        const hid_t type = bytes == sizeof(float) ? h5::native_type<float>() : h5::native_type<double>();
        const auto chunk = options_.compress > 0 ? chunk_of(points, bytes, leading.size()) : std::vector<hsize_t>{};
        Target target{subject, output_.create(subject, dataset, type, space, chunk, options_.compress), points,
                      steps, std::vector<bool>(static_cast<std::size_t>(points[0] * steps.count()), false)};
        for (const Attribute& attribute : describe_problem(grid, helmholtz))
            h5::write_attribute(target.dataset, subject, attribute);
        targets_.emplace(dataset, std::move(target));
        attach_steps(targets_.at(dataset));
        for (std::size_t a = 0; a < 3; ++a) {
            const Axis& axis = grid.axes[a];
            if (axis.listed()) write_axis("/positions/", grid.labels[a], step_ends(axis));
            attach_scale(targets_.at(dataset), grid, a);
            if (axis.custom == Coefficients{}) continue;
            write_axis("/conductances/", grid.labels[a], axis.custom.conductances);
            write_axis("/weights/", grid.labels[a], axis.custom.weights);
        }
    }

    void select(Index step) override { chosen_ = step; }

    void write(const std::string& dataset, Index first, FieldView<const float> slab) override {
        write_planes(dataset, first, slab);
    }
    void write(const std::string& dataset, Index first, FieldView<const double> slab) override {
        write_planes(dataset, first, slab);
    }
    // A first value takes all the room, where writing the first planes would.
    [[nodiscard]] bool leave_to_others(const std::string& dataset) override {
        const h5::Quiet quiet;
        const Target& to = target(dataset);
        if (options_.compress > 0 || to.steps.count() != 1) return false;
        const h5::Space memory = h5::box_space({1, 1, 1}, {}, {1, 1, 1}, to.subject);
        const h5::Space file = h5::box_space(to.points, {}, {1, 1, 1}, to.subject, place(to));
        const double zero = 0.0;
        to.subject.check(
            H5Dwrite(to.dataset, h5::native_type<double>(), memory.get(), file.get(), H5P_DEFAULT, &zero),
            "cannot be written");
        targets_.at(dataset).mark(0, 0, to.points[0]);
        return true;
    }
    void read_back(const std::string& dataset, const Extents& first, FieldView<float> box) const override {
        read_box(dataset, first, box);
    }
    void read_back(const std::string& dataset, const Extents& first, FieldView<double> box) const override {
        read_box(dataset, first, box);
    }

    // A data set of doubles that is written at once.
    void write_numbers(const std::string& dataset, const std::vector<Index>& extents,
                       const std::vector<double>& values) override {
        const h5::Quiet quiet;
        const h5::Subject about{ErrorCode::output, output_.subject().name + ", dataset " + dataset};
        static_cast<void>(output_.file());
        if (targets_.count(dataset) != 0) about.fail(ErrorCode::usage, "was written before");
        const std::vector<hsize_t> shape(extents.begin(), extents.end());
        hsize_t wanted = 1;
        for (const hsize_t extent : shape) wanted *= extent;
        if (wanted == 0 || wanted != values.size())
            about.fail(ErrorCode::usage, "found " + std::to_string(values.size()) + " values, wanted " +
                                             h5::describe_extents(shape) + ", at least one");
        output_.require_space(values.size() * sizeof(double));
        const h5::Space space(
            about.check(shape.empty() ? H5Screate(H5S_SCALAR)
                                      : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                        "cannot describe its shape"));
        const hid_t made = output_.create(about, dataset, h5::native_type<double>(), space);
        targets_.emplace(dataset, Target{about, made});
        about.check(H5Dwrite(made, h5::native_type<double>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                    "cannot be written");
    }

    void attributes(const std::string& dataset, const std::vector<Attribute>& attributes) override {
        const h5::Quiet quiet;
        const Target& found = target(dataset);
        for (const Attribute& attribute : attributes) h5::write_attribute(found.dataset, found.subject, attribute);
    }

    bool link_vtk(const Grid& grid, const std::vector<std::string>& datasets) override {
        for (const std::string& dataset : datasets) static_cast<void>(target(dataset));
        if (!lies_as_vtk_image(grid)) return false;
        link_vtkhdf(output_.file(), output_.subject(), grid, datasets);
        return true;
    }

    OutputFile finish() override {
        for (const auto& [name, target] : targets_) {
            const auto hole = std::find(target.written.begin(), target.written.end(), false);
            if (hole != target.written.end())
                target.subject.fail(ErrorCode::internal, "plane " + std::to_string(hole - target.written.begin()) +
                                                             " was never written");
        }
        return output_.finish();
    }

private:
    const Target& target(const std::string& dataset) const {
        static_cast<void>(output_.file());
        const auto found = targets_.find(dataset);
        if (found == targets_.end())
            output_.subject().fail(ErrorCode::internal, "has no dataset " + dataset + " to write to");
        return found->second;
    }

    // Where the chosen field of the target is.
    h5::Steps place(const Target& target) const {
        return {target.steps.extents, target.steps.extents.empty() ? 0 : chosen_};
    }

    // Numbers of an axis, which all fields of the file share.
    void write_axis(const std::string& group, char label, const std::vector<double>& values) {
        if (const std::string dataset = group + label; targets_.count(dataset) == 0)
            write_numbers(dataset, {static_cast<Index>(values.size())}, values);
    }

    // The dimension scale of an axis, where its points are: shared by all fields of the file.
    void attach_scale(const Target& field, const Grid& grid, std::size_t axis) {
        const std::string label(1, grid.labels[axis]);
        if (targets_.count("/" + label) == 0) {
            const Target& made = make_scale(label, coordinates(grid.axes[axis]), label + " of points");
            if (!options_.units.length.empty())
                h5::write_attribute(made.dataset, made.subject, {"units", options_.units.length});
        }
        attach(field, label, field.steps.extents.size() + axis);
    }

    // Those of the dimensions before: netCDF wants all or none.
    void attach_steps(const Target& field) {
        const std::vector<hsize_t>& extents = field.steps.extents;
        for (std::size_t d = 0; d < extents.size(); ++d) {
            const std::string label = extents.size() == 1 ? "step" : "step" + std::to_string(d);
            if (targets_.count("/" + label) == 0) {
                std::vector<double> numbers(extents[d]);
                std::iota(numbers.begin(), numbers.end(), 0.0);
                if (extents.size() == 1 && options_.steps.size() == extents[0])
                    numbers.assign(options_.steps.begin(), options_.steps.end());
                make_scale(label, numbers, "number of the step");
            }
            attach(field, label, d);
        }
    }

    const Target& make_scale(const std::string& label, const std::vector<double>& values, const std::string& what) {
        write_numbers("/" + label, {static_cast<Index>(values.size())}, values);
        const Target& made = targets_.at("/" + label);
        made.subject.check(H5DSset_scale(made.dataset, label.c_str()), "cannot become a dimension scale");
        h5::write_attribute(made.dataset, made.subject, {"long_name", what});
        return made;
    }

    void attach(const Target& field, const std::string& label, std::size_t dimension) {
        field.subject.check(
            H5DSattach_scale(field.dataset, targets_.at("/" + label).dataset, static_cast<unsigned>(dimension)),
            "cannot take its dimension scale");
    }

    template <class T>
    void write_planes(const std::string& dataset, Index first, FieldView<const T> slab) {
        const h5::Quiet quiet;
        const Target& to = target(dataset);
        h5::require_planes(to.subject, to.points, first, slab.extents);
        const h5::Steps at = place(to);
        for (const h5::Transfer& transfer : h5::plan_transfers(slab.extents, slab.strides)) {
            const auto memory = h5::memory_space(transfer, slab.extents, to.subject);
            const auto file = h5::file_space(to.points, first + transfer.first, transfer.count, to.subject, at);
            to.subject.check(H5Dwrite(to.dataset, h5::native_type<T>(), memory.get(), file.get(), H5P_DEFAULT,
                                      slab.data + transfer.offset),
                             "cannot be written");
        }
        targets_.at(dataset).mark(at.chosen, first, slab.extents[0]);
    }

    template <class T>
    void read_box(const std::string& dataset, const Extents& first, FieldView<T> box) const {
        const h5::Quiet quiet;
        const Target& from = target(dataset);
        if (!box.dense()) from.subject.fail(ErrorCode::internal, "is read back into views without gaps only");
        const h5::Space memory = h5::box_space(box.extents, {}, box.extents, from.subject);
        const h5::Space file = h5::box_space(from.points, first, box.extents, from.subject, place(from));
        from.subject.check(
            H5Dread(from.dataset, h5::native_type<T>(), memory.get(), file.get(), H5P_DEFAULT, box.data),
            "cannot be read back");
    }

    WriteOptions options_;
    h5::Output output_;
    std::map<std::string, Target> targets_;
    Index chosen_ = 0;
};

}  // namespace

std::unique_ptr<FieldSink> make_hdf5_sink(const std::string& path, const WriteOptions& options) {
    return std::make_unique<Hdf5Sink>(path, options);
}

}  // namespace poisson3d
