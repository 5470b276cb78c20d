#include "solving/follow.hpp"

#include <memory>
#include <type_traits>

#include "solving/host_part.hpp"
#include "solving/member_boundary.hpp"
#include "solving/member_work.hpp"
#include "solving/orders.hpp"
#include "solving/rank_on_device.hpp"

namespace poisson3d::app {

namespace {

class Follower {
public:
    virtual ~Follower() = default;
    Follower() = default;
    Follower(const Follower&) = delete;
    Follower& operator=(const Follower&) = delete;
    virtual void obey(const Order& order) = 0;
};

template <class T, template <class> class Part>
class FollowerOf final : public Follower {
public:
    FollowerOf(Ranks& ranks, const MemberTask& task, Unpacker& message)
        : ranks_(ranks),
          boundary_(message, task.parts().box(ranks.rank())),
          members_(members_of(ranks, task)),
          work_(ranks, task, members_, HostPlace(ranks, task, members_), {boundary_.data()}) {
        if (task.on_devices) warm_up();
    }

    void obey(const Order& order) override {
        switch (order.kind) {
            case OrderKind::read_shared: work_.read_shared(received_name(), order.number); break;
            case OrderKind::largest: work_.largest(); break;
            case OrderKind::write_shared: work_.write_shared(received_name()); break;
            case OrderKind::faces: work_.faces({}); break;
            case OrderKind::renew: work_.renew(); break;
            case OrderKind::take: {
                const FieldView<T> planes = work_.part().planes(order.first, order.count);
                ranks_.receive(0, planes.data, static_cast<std::size_t>(planes.size()) * sizeof(T));
                break;
            }
            case OrderKind::solve: work_.solve(static_cast<T>(order.number)); break;
            case OrderKind::copy: work_.copy(); break;
            case OrderKind::give: give(work_.part().planes(order.first, order.count)); break;
            case OrderKind::apply: work_.apply(); break;
            case OrderKind::give_operator: give(work_.operator_part().planes(order.first, order.count)); break;
            case OrderKind::plan:
            case OrderKind::release:
            case OrderKind::end: break;  // not for one who works
        }
    }

private:
    void warm_up() {
        if constexpr (!std::is_same_v<Part<T>, HostPart<T>>) work_.warm_up();
    }
    DatasetName received_name() {
        Unpacker message = receive_message(ranks_, 0);
        DatasetName name;
        describe(message, name);
        return name;
    }
    template <class Value>
    void give(FieldView<Value> planes) {
        ranks_.send(0, planes.data, static_cast<std::size_t>(planes.size()) * sizeof(Value));
    }

    Ranks& ranks_;
    ReceivedBoundary<T> boundary_;
    Communicator members_;
    MemberWork<T, Part> work_;
};

template <template <class> class Part>
std::unique_ptr<Follower> hire(Ranks& ranks, const MemberTask& task, Unpacker& message) {
    if (task.in_double) return std::make_unique<FollowerOf<double, Part>>(ranks, task, message);
    return std::make_unique<FollowerOf<float, Part>>(ranks, task, message);
}

std::unique_ptr<Follower> hire(Ranks& ranks) {
    Unpacker message = receive_message(ranks, 0);
    MemberTask task;
    describe(message, task);
    if (task.on_devices) return hire<RankOnDevice>(ranks, task, message);
    return hire<HostPart>(ranks, task, message);
}

}  // namespace

int follow(Ranks& ranks) {
    std::unique_ptr<Follower> follower;
    while (true) {
        Order order;
        ranks.receive(0, &order, sizeof order);
        if (order.kind == OrderKind::end) return static_cast<int>(order.number);
        try {
            if (order.kind == OrderKind::plan)
                follower = hire(ranks);
            else if (order.kind == OrderKind::release)
                follower.reset();
            else
                follower->obey(order);
        } catch (const StepRefused&) {
            continue;  // rank 0 knows, and has other orders
        }
    }
}

void dismiss(Ranks& ranks, int status) {
    order_all(ranks, {.kind = OrderKind::end, .number = static_cast<double>(status)});
}

}  // namespace poisson3d::app
