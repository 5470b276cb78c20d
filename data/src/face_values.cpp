#include "face_values.hpp"

#include <algorithm>

#include "finite.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

const std::string group_path = "/boundary_values";

// The axes of a face in index order.
std::array<std::size_t, 2> axes_of(char label, const std::array<char, 3>& labels) {
    if (label == labels[0]) return {1, 2};
    return {0, label == labels[1] ? 2U : 1U};
}

void require_finite(const Numbers& numbers, const FaceData& face) {
    const FieldView<const double> view(face.values.data(), {1, face.extents[0], face.extents[1]});
    const auto found = first_not_finite(view);
    if (!found) return;
    const auto [plane, a, b] = *found;
    const std::string index =
        face.array ? " at index [" + std::to_string(a) + ", " + std::to_string(b) + "]" : std::string();
    numbers.subject.fail(ErrorCode::data, "found " + format_number(view(plane, a, b)) + index +
                                              ", wanted finite numbers everywhere");
}

}  // namespace

std::vector<std::string> list_faces(const Input& input, const std::array<char, 3>& labels) {
    const Object group = input.find(group_path);
    if (!group.valid()) return {};
    const Subject subject{ErrorCode::file, name_of(input.path(), "group", group_path)};
    if (H5Iget_type(group.get()) != H5I_GROUP)
        subject.fail(ErrorCode::data, "found something else of that name, wanted a group of face values");
    std::vector<std::string> known;
    std::string list;
    for (const char label : labels)
        for (const char* side : {"_lower", "_upper"}) {
            known.push_back(label + std::string(side));
            list.append(list.empty() ? "" : ", ").append(known.back());
        }
    // One more than there can be: then one of them is wrong.
    auto names = list_group(group.get(), subject, known.size() + 1);
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            subject.fail(ErrorCode::data, "found " + printable(name) + ", wanted names of faces: " + list);
    return names;
}

Face open_face(const Input& input, const std::string& name, const Extents& points,
               const std::array<char, 3>& labels) {
    const Quiet quiet;
    const auto [a, b] = axes_of(name[0], labels);
    const std::vector<hsize_t> wanted{static_cast<hsize_t>(points[a]), static_cast<hsize_t>(points[b])};
    const std::string wish = "one number or a 2-D array of extents " + describe_extents(wanted) +
                             ", the points of " + labels[a] + " and " + labels[b];
    Face face{open_numbers(input, group_path + "/" + name, wish), {}};
    face.array = !std::all_of(face.extents.begin(), face.extents.end(), [](hsize_t extent) { return extent == 1; });
    if (face.array && face.extents != wanted)
        face.subject.fail(ErrorCode::data, "found " + describe_shape(face.extents) + ", wanted " + wish);
    face.storage = inspect_storage(input, face.dataset.get(), face.subject);
    if (face.array) face.shape = {points[a], points[b]};
    return face;
}

FaceData read_face(const Face& face) {
    const Quiet quiet;
    FaceData data{face.array, face.shape, {}};
    data.values.resize(static_cast<std::size_t>(data.extents[0] * data.extents[1]));
    face.subject.check(
        H5Dread(face.dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.values.data()),
        "cannot be read");
    require_finite(face, data);
    return data;
}

}  // namespace poisson3d::h5
