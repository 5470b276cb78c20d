# The program with CUDA, on Ubuntu: docker build -f docs/container/cuda.Dockerfile -t poisson3d:cuda .
#     docker run --rm --gpus all -v "$PWD:/data" poisson3d:cuda field.h5
# It needs NVIDIA's container toolkit on the host, whose driver it uses.
ARG CUDA=12.8.1
FROM nvidia/cuda:${CUDA}-devel-ubuntu24.04 AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        g++ cmake make pkg-config libhdf5-dev zlib1g-dev libcairo2-dev liblapack-dev libcli11-dev nlohmann-json3-dev
COPY . /src
WORKDIR /src
RUN cmake --preset gpu -DPOISSON3D_BUILD_TESTS=OFF -DPOISSON3D_MPI=OFF && cmake --build --preset gpu --parallel
RUN cmake --install build/gpu --prefix /opt/poisson3d --strip

FROM nvidia/cuda:${CUDA}-runtime-ubuntu24.04
RUN apt-get update && apt-get install -y --no-install-recommends \
        libhdf5-103-1t64 libhdf5-hl-100t64 zlib1g libcairo2 libfreetype6 liblapack3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/poisson3d /opt/poisson3d
ENV PATH=/opt/poisson3d/bin:${PATH}
WORKDIR /data
ENTRYPOINT ["poisson3d"]
