// Which calls are recorded as graphs, with graphs that count: no device is needed.
#include <gtest/gtest.h>

#include "poisson3d/recorded_calls.hpp"

namespace poisson3d {

namespace {
int recorded, there, captured;
bool refuses;
}  // namespace

DeviceGraph::DeviceGraph(const std::function<void(Stream)>& work) {
    if (refuses) throw Error(ErrorCode::device, "cannot be recorded");
    work({&recorded});
    ++recorded, ++there;
}
DeviceGraph::~DeviceGraph() {
    --there;
}
bool capturing(Stream stream) {
    return stream.handle == &captured;
}

namespace {

class RecordedCallsTest : public testing::Test {
protected:
    void SetUp() override { recorded = there = 0, refuses = false; }
    /// Whether the call comes as a graph.
    bool comes(int key, Stream stream = {}) {
        int works = 0;
        const int before = recorded;
        const bool graph = calls_.graph(key, stream, [&](Stream in) {
            ++works;
            EXPECT_EQ(in.handle, &recorded);
        }) != nullptr;
        EXPECT_EQ(works, recorded - before);
        return graph;
    }
    RecordedCalls<int> calls_;
};

TEST_F(RecordedCallsTest, TheSecondOfAKindIs) {
    for (int key = 0; key < 3; ++key) EXPECT_FALSE(comes(key));
    for (int time = 0; time < 3; ++time)
        for (int key = 0; key < 3; ++key) EXPECT_TRUE(comes(key));
    EXPECT_EQ(recorded, 3);
}

TEST_F(RecordedCallsTest, TheEightUsedLastAreKept) {
    for (int key = 0; key < 9; ++key)
        for (int time = 0; time < 20; ++time) EXPECT_EQ(comes(key), time > 0) << key;
    EXPECT_EQ(recorded, 9);
    EXPECT_EQ(there, 8);
    EXPECT_TRUE(comes(1));
    EXPECT_FALSE(comes(0));
    EXPECT_TRUE(comes(1));
}

TEST_F(RecordedCallsTest, NobodyWhoBringsOthersTooOftenIsRecorded) {
    for (int key = 0; key < 100; ++key) {
        EXPECT_FALSE(comes(key));
        EXPECT_EQ(comes(key), key < 8) << key;
    }
    EXPECT_EQ(recorded, 8);
}

TEST_F(RecordedCallsTest, NothingIsWithinAnotherGraph) {
    for (int time = 0; time < 3; ++time) EXPECT_FALSE(comes(1, {&captured}));
    EXPECT_FALSE(comes(1));
    EXPECT_TRUE(comes(1));
}

TEST_F(RecordedCallsTest, NothingIsAfterARefusal) {
    EXPECT_FALSE(comes(1));
    EXPECT_TRUE(comes(1));
    EXPECT_FALSE(comes(2));
    refuses = true;
    EXPECT_FALSE(comes(2));
    refuses = false;
    for (int time = 0; time < 3; ++time) EXPECT_FALSE(comes(1));
    EXPECT_EQ(there, 0);
}

}  // namespace
}  // namespace poisson3d
