// Fields, coefficients and face values of an HDF5 file, as FieldReader asks for them.
#include <algorithm>
#include <map>

#include "chunks.hpp"
#include "face_values.hpp"
#include "field_header.hpp"
#include "field_source.hpp"
#include "finite.hpp"
#include "h5_slabs.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/text.hpp"
#include "source.hpp"
#include "trial.hpp"

namespace poisson3d {

namespace {

const std::string coefficient = "/coefficient", lambda = "/lambda";

class Hdf5Source final : public FieldSource {
public:
    // Opens all that `options` and the file name. Tells `heartbeat` before and during long work.
    Hdf5Source(const std::string& path, const ReadOptions& options, const Heartbeat& heartbeat)
        : input_(path, options, heartbeat), steps_(options.steps) {
        header_.dataset = options.dataset;
        header_ = read_header(input_, source(options.dataset), options.dataset);
        for (const std::string& face : header_.boundary_values)
            faces_.emplace(face, h5::open_face(input_, face, header_.points, header_.labels));
        look_for_variable_fields(options.dataset);
        if (!options.exact.empty()) static_cast<void>(source(options.exact));
        if (options.look_for_exact) look_for_exact(input_, source(options.dataset), header_);
    }

    // Looks once at what HDF5 may crash of, or take wrong numbers from: chunks that pass through filters.
    void try_filters(const Heartbeat& heartbeat) {
        for (const auto& [name, face] : faces_) {
            if (face.storage.packing == h5::Packing::none) continue;
            h5::require_whole_chunks(input_, face.dataset.get(), face.subject);
            static_cast<void>(h5::read_face(face));
        }
        for (auto& [name, source] : sources_) {
            if (source.storage.packing == h5::Packing::none) continue;
            h5::require_whole_chunks(input_, source.dataset.get(), source.subject);
            if (source.storage.packing == h5::Packing::harmless) continue;
            const Index step = h5::slab_planes(source);
            Field<double> slab({step, source.points[1], source.points[2]});
            for (source.steps.chosen = 0; source.steps.chosen < source.steps.count(); ++source.steps.chosen)
                for (Index first = 0; first < source.points[0]; first += step) {
                    heartbeat(0.0);
                    h5::read_slab(source, first, slab.view().slab(0, std::min(step, source.points[0] - first)));
                }
        }
    }

    [[nodiscard]] const FieldHeader& header() const noexcept override { return header_; }
    [[nodiscard]] std::vector<InputIdentity> inputs() const override { return input_.files().identities(); }
    void require_unchanged() const override { input_.files().require_unchanged(); }
    void select(Index step) override {
        const h5::Source& field = sources_.at(header_.dataset);
        require_step(field.subject, step, field.steps.count());
        chosen_ = step;
        for (auto& [name, source] : sources_) source.steps.chosen = step;
    }
    void read(const std::string& dataset, Index first, FieldView<float> slab) override {
        read_planes(dataset, first, slab);
    }
    void read(const std::string& dataset, Index first, FieldView<double> slab) override {
        read_planes(dataset, first, slab);
    }
    [[nodiscard]] FaceData boundary_values(const std::string& face) const override {
        const auto found = faces_.find(face);
        if (found == faces_.end())
            throw Error(ErrorCode::usage,
                        h5::name_of(header_.path, "group", "/boundary_values") + ": has nothing for " + face);
        const h5::Reading reading;
        return h5::read_face(found->second);
    }
    [[nodiscard]] Index planes_per_slab() const noexcept override {
        return h5::slab_planes(sources_.at(header_.dataset));
    }

private:
    const h5::Source& source(const std::string& dataset) {
        const auto known = sources_.find(dataset);
        if (known != sources_.end()) return known->second;
        h5::Source opened = h5::open_source(input_, dataset, steps_);
        if (!sources_.empty()) require_shape(opened, dataset);
        opened.steps.chosen = chosen_;
        return sources_.emplace(dataset, std::move(opened)).first->second;
    }

    // ε at the points or on faces, λ; unless they are what is solved for.
    void look_for_variable_fields(const std::string& solved) {
        const h5::Quiet quiet;
        VariableFields& found = header_.variable;
        std::vector<std::string> names;
        if (const h5::Object object = input_.find(coefficient); object.valid() && !lies_in(solved, coefficient)) {
            found.on_faces = H5Iget_type(object.get()) == H5I_GROUP;
            found.at_points = !found.on_faces;
            if (found.on_faces)
                names = face_names(object.get());
            else
                names.push_back(coefficient);
        }
        found.helmholtz = !lies_in(solved, lambda) && input_.find(lambda).valid();
        if (found.helmholtz) names.push_back(lambda);
        for (const std::string& name : names) found.stepped |= !source(name).steps.extents.empty();
    }

    static bool lies_in(const std::string& dataset, const std::string& where) {
        return dataset == where || dataset.starts_with(where + "/");
    }

    // Of all three axes, in index order.
    [[nodiscard]] std::vector<std::string> face_names(hid_t group) const {
        const h5::Subject subject{ErrorCode::file, h5::name_of(header_.path, "group", coefficient)};
        const std::vector<std::string> there = h5::list_group(group, subject, header_.labels.size() + 1);
        std::vector<std::string> names;
        for (const char label : header_.labels) {
            if (std::find(there.begin(), there.end(), std::string(1, label)) == there.end())
                subject.fail(ErrorCode::data, std::string("found nothing for axis ") + label +
                                                  ", wanted ε on the faces of each axis: " + axis_names());
            names.push_back(coefficient + "/" + label);
        }
        for (const std::string& name : there)
            if (name.size() != 1 ||
                std::find(header_.labels.begin(), header_.labels.end(), name[0]) == header_.labels.end())
                subject.fail(ErrorCode::data,
                             "found " + printable(name) + ", wanted names of axes: " + axis_names());
        return names;
    }
    [[nodiscard]] std::string axis_names() const {
        const auto& [a, b, c] = header_.labels;
        return std::string(1, a) + ", " + b + ", " + c;
    }

    // That of the field, of faces one more; all its steps may share ε and λ.
    void require_shape(const h5::Source& opened, const std::string& dataset) const {
        const h5::Source& field = sources_.at(header_.dataset);
        std::vector<hsize_t> wanted = field.extents;
        const bool varies = lies_in(dataset, coefficient) || lies_in(dataset, lambda);
        if (dataset.starts_with(coefficient + "/") && dataset.size() == coefficient.size() + 2) {
            const auto* const label = std::find(header_.labels.begin(), header_.labels.end(), dataset.back());
            if (label != header_.labels.end()) ++wanted[wanted.size() - 3 + (label - header_.labels.begin())];
        }
        if (opened.extents == wanted) return;
        const std::vector<hsize_t> one(wanted.end() - 3, wanted.end());
        if (varies && opened.extents == one) return;
        opened.subject.fail(ErrorCode::data, "found " + h5::describe_extents(opened.extents) +
                                                 (wanted == field.extents ? " points" : " faces") + ", wanted " +
                                                 h5::describe_extents(wanted) +
                                                 (wanted == field.extents ? " as in " : " for the points of ") +
                                                 printable(header_.dataset));
    }

    template <class T>
    void read_planes(const std::string& dataset, Index first, FieldView<T> slab) {
        const h5::Reading reading;
        const h5::Source& opened = source(dataset);
        h5::require_planes(opened.subject, opened.points, first, slab.extents);
        h5::read_slab(opened, first, slab);
    }

    h5::Input input_;  // its file must outlive what was opened in it, so it stands first
    FieldHeader header_;
    std::map<std::string, h5::Source> sources_;  // by the names that were asked for
    std::map<std::string, h5::Face> faces_;
    bool steps_;  // data sets may hold many fields
    Index chosen_ = 0;
};

}  // namespace

void require_step(const h5::Subject& subject, Index step, Index count) {
    if (step < 0 || step >= count)
        subject.fail(ErrorCode::usage, "has no step " + std::to_string(step) + " of " + std::to_string(count));
}

std::unique_ptr<FieldSource> open_hdf5_source(const std::string& path, const ReadOptions& options) {
    std::unique_ptr<Hdf5Source> tried;
    try_in_child(
        path, [&](const Heartbeat& heartbeat) { tried = std::make_unique<Hdf5Source>(path, options, heartbeat); },
        [&](const Heartbeat& heartbeat) {
            tried->try_filters(heartbeat);
            tried.reset();
        });
    const h5::Reading reading;
    return std::make_unique<Hdf5Source>(path, options, [](double) {});
}

}  // namespace poisson3d
