# Recipe for Spack 1.0 or newer; docs/packages.md says how to use it.
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Poisson3d(CMakePackage, CudaPackage):
    """Fast and accurate solver of the Poisson and Helmholtz equations on a three-dimensional box, on the host and on
    NVIDIA GPUs, with a library of three-dimensional transposes."""

    license("BSD-3-Clause")

    # Built from a checkout (spack develop, spack dev-build): no archive is named here.
    version("0.1.0")

    variant("shared", default=True, description="Shared libraries")
    variant("program", default=True, description="The program poisson3d, which reads and writes HDF5")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")

    depends_on("cuda@12.4:", when="+cuda")

    with when("+program"):
        depends_on("hdf5@1.10: +hl")
        depends_on("zlib-api")
        depends_on("cairo@1.16: +ft +pdf +png +svg")
        depends_on("pkgconfig", type="build")
        depends_on("cli11@2.1:", type="build")
        depends_on("nlohmann-json@3.10:", type="build")

    with default_args(type="test"):
        depends_on("googletest")
        depends_on("python@3.9:")
        depends_on("py-numpy")
        depends_on("py-h5py")

    conflicts("%gcc@:11", msg="C++20 as it is used here needs g++ 12 or newer")
    conflicts("cuda_arch=none", when="+cuda", msg="name the architecture of the GPU, e.g. cuda_arch=90")
    for _arch in CudaPackage.cuda_arch_values:
        if int(_arch.rstrip("af")) < 75:
            conflicts(f"cuda_arch={_arch}", when="+cuda", msg="GPUs have compute capability 7.5 or more")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("POISSON3D_BUILD_PROGRAM", "program"),
            self.define("POISSON3D_BUILD_TESTS", self.run_tests),
            # Never AUTO: what is built must not depend on what else the machine has.
            self.define_from_variant("POISSON3D_CUDA", "cuda"),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
