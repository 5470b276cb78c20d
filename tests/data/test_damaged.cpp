// Damaged files that HDF5 itself crashes or loops with, claims that no memory holds, and texts that no terminal
// should be given.
#include <chrono>
#include <cstring>
#include <functional>
#include <new>

#include "h5_test_file.hpp"
#include "poisson3d/field_file.hpp"
#include "trial.hpp"

namespace poisson3d::test {
namespace {

class Damaged : public Folder {
protected:
    /// A field whose attribute "boundary" stands in a global heap, changed by `damage`, which gets the file and the
    /// place of the heap.
    void damage(const std::function<void(std::string& bytes, std::size_t heap)>& damage) const {
        {
            TestFile file(path());
            file.rhs();
            file.texts("boundary", {3}, {"periodic", "neumann", "dirichlet"});
        }
        std::string bytes;
        {
            std::ifstream stream(path(), std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(stream), {});
        }
        const std::size_t heap = bytes.find("GCOL");
        ASSERT_NE(heap, std::string::npos);
        damage(bytes, heap);
        std::ofstream(path(), std::ios::binary) << bytes;
    }
    static void put(std::string& bytes, std::size_t at, std::uint64_t value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    void refuse(ErrorCode code, const std::vector<std::string>& parts) const {
        expect_error(code, parts, [&] { FieldReader{path()}; });
    }
};

constexpr std::size_t size_of_first_object = 24;  // in a global heap

// With each of these HDF5's own reader of heaps never ends, crashes, takes all memory, or writes behind its buffer.
TEST_F(Damaged, AHeapWhoseObjectsDoNotEnd) {
    damage([](std::string& bytes, std::size_t heap) { put(bytes, heap + size_of_first_object, 0); });
    refuse(ErrorCode::file, {path(), "attribute boundary", "is not in the heap", "damaged"});
}

TEST_F(Damaged, AHeapWithAnObjectLargerThanItself) {
    damage([](std::string& bytes, std::size_t heap) {
        put(bytes, heap + size_of_first_object, std::uint64_t{1} << 62U);
    });
    refuse(ErrorCode::file, {path(), "attribute boundary", "heap is not whole", "damaged"});
}

TEST_F(Damaged, AHeapSmallerThanItsOwnHead) {
    damage([](std::string& bytes, std::size_t heap) { put(bytes, heap + 8, 8); });
    refuse(ErrorCode::file, {path(), "attribute boundary", "is not in the heap", "damaged"});
}

TEST_F(Damaged, ATextLongerThanItsLength) {
    // What stands before a text is its size.
    damage([](std::string& bytes, std::size_t heap) { put(bytes, bytes.find("neumann", heap) - 8, 8); });
    refuse(ErrorCode::file, {path(), "attribute boundary", "found a text of 8 bytes, wanted 7", "damaged"});
}

TEST_F(Damaged, TrialsEndOneWayOrAnother) {
    const Work nothing = [](const Heartbeat&) {};
    int calls = 0;
    const Work count = [&](const Heartbeat&) { ++calls; };
    try_in_child("a.h5", count, count);
    EXPECT_EQ(calls, 0) << "it happens in the child";
    const Work fail = [](const Heartbeat& heartbeat) {
        heartbeat(0.0);
        throw Error(ErrorCode::data, "told! by the child? " + std::string(10000, '.'));
    };
    expect_error(ErrorCode::data, {"told! by the child? ....."}, [&] { try_in_child("a.h5", fail, nothing); });
    expect_error(ErrorCode::data, {"told! by the child? ....."}, [&] { try_in_child("a.h5", nothing, fail); });
    const Work strange = [](const Heartbeat&) { throw OutputIsInput("--json", "the caller meets this"); };
    try_in_child("a.h5", strange, nothing);
    const Work abort = [](const Heartbeat&) { std::abort(); }, leave = [](const Heartbeat&) { _exit(0); };
    for (const Work& crash : {abort, leave}) {
        expect_error(ErrorCode::file, {"a.h5", "crashed"}, [&] { try_in_child("a.h5", crash, nothing); });
        expect_error(ErrorCode::file, {"a.h5", "crashed"}, [&] { try_in_child("a.h5", nothing, crash); });
    }
    // Memory: twice is too often, once may happen. The child counts, this process does not.
    const Work never = [](const Heartbeat&) { throw std::bad_alloc(); };
    const Work once = [&](const Heartbeat&) {
        if (++calls == 1) throw std::bad_alloc();
    };
    expect_error(ErrorCode::file, {"a.h5", "of memory"}, [&] { try_in_child("a.h5", never, nothing); });
    try_in_child("a.h5", once, nothing);
    try_in_child("a.h5", nothing, never);
    // Work that says that it goes on may take its time.
    const Work busy = [](const Heartbeat& heartbeat) {
        for (int step = 0; step < 20; ++step) {
            heartbeat(0.0);
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
            while (std::chrono::steady_clock::now() < end) {}
        }
    };
    try_in_child("a.h5", busy, busy);
}

TEST_F(Damaged, ExtentsOfAttributesThatWrap) {
    const auto claim = [&](const std::string& attribute, std::uint64_t found, std::uint64_t claimed,
                           const std::function<void(TestFile&)>& make) {
        {
            TestFile file(path());
            file.rhs();
            make(file);
        }
        std::string bytes;
        {
            std::ifstream stream(path(), std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(stream), {});
        }
        // The extents stand behind the name of the attribute.
        const std::size_t name = bytes.find(attribute + '\0');
        ASSERT_NE(name, std::string::npos);
        std::string old(8, '\0');
        std::memcpy(old.data(), &found, 8);
        const std::size_t at = bytes.find(old, name);
        ASSERT_NE(at, std::string::npos);
        put(bytes, at, claimed);
        std::ofstream(path(), std::ios::binary) << bytes;
    };
    const std::vector<double> three{0.1, 0.1, 0.1};
    for (const std::uint64_t claimed : {(std::uint64_t{1} << 61U) + 3, (std::uint64_t{1} << 62U) + 1,
                                        ~std::uint64_t{0}, std::uint64_t{1} << 40U}) {
        claim("spacing", 3, claimed, [&](TestFile& f) { f.numbers("spacing", H5T_IEEE_F64LE, {3}, three); });
        try {
            FieldReader{path()};
            FAIL();
        } catch (const Error& error) {  // HDF5 may find it out itself
            EXPECT_EQ(exit_code(error.code()), 3) << error.what();
        }
        claim("boundary", 3, claimed, [&](TestFile& f) {
            f.fixed_texts("boundary", H5T_STR_NULLPAD, 9, {3}, {"neumann", "neumann", "neumann"});
        });
        try {
            FieldReader{path()};
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(exit_code(error.code()), 3) << error.what();
        }
    }
}

TEST_F(Damaged, TextsOfAFileAreEscapedAndCut) {
    {
        TestFile file(path());
        file.rhs();
        file.texts("boundary", {}, {"\x1b[2J" + std::string(100000, 'x') + "\xff"});
    }
    try {
        FieldReader{path()};
        FAIL();
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("'\\x1b[2Jxxxx"), std::string::npos) << text;
        EXPECT_NE(text.find("x…'"), std::string::npos) << text;
        EXPECT_LT(text.size(), 400u);
    }
    {
        TestFile file(path());
        file.dataset("/\x1b]0;title\a", H5T_IEEE_F64LE, {}, {1.0});
    }
    refuse(ErrorCode::data, {"/\\x1b]0;title\\x07"});
}

TEST_F(Damaged, ListingsAreBounded) {
    {
        TestFile file(path());
        hid_t here = file.id();
        std::vector<hid_t> groups;
        for (int depth = 0; depth < 2000; ++depth) {
            here = TestFile::good(H5Gcreate2(here, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
            groups.push_back(here);
        }
        for (const hid_t group : groups) H5Gclose(group);
        file.group("/many");
        for (int i = 0; i < 16000; ++i)
            H5Lcreate_soft("/nowhere", file.id(), ("/many/" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
    const auto start = std::chrono::steady_clock::now();
    refuse(ErrorCode::data, {"/rhs", "and more"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace poisson3d::test
