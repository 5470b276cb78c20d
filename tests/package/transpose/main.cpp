// A stranger's program: turns a box with the installed transposes, out of place and in place, and looks at every
// number. An error of the library is caught by its type.
#include <poisson3d/error.hpp>
#include <poisson3d/in_place.hpp>
#include <poisson3d/transpose.hpp>

#include <cstdio>

using namespace poisson3d;

int main() {
    const Extents extents{35, 3, 67};
    Field<double> in(extents), out(permute(extents, rotation));
    for (Index i = 0; i < in.size(); ++i) in.data()[i] = static_cast<double>(i);

    transpose<double>(in.view(), out.view(), rotation);
    TransposeInPlace({extents, rotation, sizeof(double)}).execute(in.data());

    Index wrong = 0;
    for (Index y = 0; y < extents[1]; ++y)
        for (Index z = 0; z < extents[2]; ++z)
            for (Index x = 0; x < extents[0]; ++x) {
                const double was = static_cast<double>((x * extents[1] + y) * extents[2] + z);
                const Index now = (y * extents[2] + z) * extents[0] + x;
                if (out.data()[now] != was || in.data()[now] != was) ++wrong;
            }

    bool refused = false;
    try {
        require_shape(extents, extents, rotation);
    } catch (const Error& error) {
        refused = error.code() == ErrorCode::usage;
    }
    std::printf("transpose: %lld wrong elements, error %s\n", static_cast<long long>(wrong),
                refused ? "caught" : "missed");
    return wrong == 0 && refused ? 0 : 1;
}
