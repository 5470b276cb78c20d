# The program with CUDA, on Ubuntu: docker build -f docs/container/cuda.Dockerfile -t poisson3d:cuda .
#     docker run --rm --gpus all -v "$PWD:/data" poisson3d:cuda field.h5
# It needs NVIDIA's container toolkit on the host, whose driver it uses. --build-arg ARCHITECTURES=90 is for an H100 or H200
# alone, which compiles much faster; --build-arg CUDA=13.0.1 takes another toolkit.
ARG CUDA=12.8.1
FROM nvidia/cuda:${CUDA}-devel-ubuntu24.04 AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        g++ cmake make dpkg-dev file pkg-config libhdf5-dev zlib1g-dev libcairo2-dev libcli11-dev nlohmann-json3-dev
COPY . /src
WORKDIR /src
ARG ARCHITECTURES=portable
RUN cmake --preset gpu -DPOISSON3D_BUILD_TESTS=OFF -DPOISSON3D_MPI=OFF -DCMAKE_CUDA_ARCHITECTURES=${ARCHITECTURES} && \
    cmake --build --preset gpu --parallel
RUN cd build/gpu && cpack -G DEB

# cuFFT, which engine cufft opens, is in this image.
FROM nvidia/cuda:${CUDA}-runtime-ubuntu24.04
COPY --from=build /src/build/gpu/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["poisson3d"]
