#include "constant_line.hpp"

#include "chain_tables.hpp"

namespace poisson3d::lines {

template <class T>
ConstantLine<T> make_constant_line(const ChainTables<T>& tables, bool singular, bool far) {
    ConstantLine<T> line;
    line.chain = tables.on_host();
    line.ring = tables.links[0] > T(0);
    line.singular = singular;
    const auto add = [&](T conductance) {
        if (conductance > T(0)) line.resistance = line.resistance + Wide<T>(1.0) / widened(conductance);
    };
    for (const T each : tables.volumes) line.volume = line.volume + widened(each);
    for (int j = line.ring ? 0 : 1; j < line.chain.nodes; ++j) add(tables.links[j]);
    for (const T ground : line.chain.ground) add(ground);
    line.wall = tables.wall;
    if (!far) {
        const bool both = line.chain.beyond[0].there() && line.chain.beyond[1].there();
        line.wall = static_cast<T>(static_cast<double>(line.resistance) * (both ? -0.5 : -1.0));
    }
    return line;
}

template <class T>
T solve_whole(const ConstantLine<T>& line, T* f) {
    WholeLine<T> all{0, line.chain.nodes};
    return line.solve(f, 1, T(1), all);
}

template ConstantLine<float> make_constant_line(const ChainTables<float>&, bool, bool);
template ConstantLine<double> make_constant_line(const ChainTables<double>&, bool, bool);
template float solve_whole(const ConstantLine<float>&, float*);
template double solve_whole(const ConstantLine<double>&, double*);

}  // namespace poisson3d::lines
