# The program without CUDA, on Debian: docker build -f docs/container/cpu.Dockerfile -t poisson3d .
#     docker run --rm -v "$PWD:/data" poisson3d field.h5
FROM debian:bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        g++ cmake make dpkg-dev file pkg-config libhdf5-dev zlib1g-dev libcairo2-dev libcli11-dev nlohmann-json3-dev
COPY . /src
WORKDIR /src
RUN cmake --preset cpu -DPOISSON3D_BUILD_TESTS=OFF -DPOISSON3D_MPI=OFF && cmake --build --preset cpu --parallel
RUN cd build/cpu && cpack -G DEB

FROM debian:bookworm-slim
COPY --from=build /src/build/cpu/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["poisson3d"]
