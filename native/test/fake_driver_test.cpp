// Tests of the fake driver: it carries out correct calls, and reports calls that a program must not make.
#include <dlfcn.h>

#include "check.h"
#include "driver_copy.h"

namespace {

// A copy of the library, with a current context.
class Driver : public DriverCopy {
 public:
  explicit Driver(const std::string &control = "")
      : DriverCopy(control), library_(dlopen(path().c_str(), RTLD_NOW | RTLD_LOCAL)) {}

  template <typename... Arguments>
  int call(const char *name, Arguments... arguments) const {
    auto *function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    if (function == nullptr) return -1;
    return function(arguments...);
  }

  uint64_t open() const {
    uint64_t context = 0;
    EXPECT_EQUAL(call("cuInit", 0u), 0);
    EXPECT_EQUAL(call("cuDevicePrimaryCtxRetain", &context, 0), 0);
    EXPECT_EQUAL(call("cuCtxSetCurrent", context), 0);
    return context;
  }
  void close() const { EXPECT_EQUAL(call("cuDevicePrimaryCtxRelease_v2", 0), 0); }

 private:
  void *const library_;
};

TEST("fake driver: bytes are copied to the device and back") {
  const Driver driver;
  driver.open();
  uint64_t host = 0;
  uint64_t memory = 0;
  EXPECT_EQUAL(driver.call("cuMemHostAlloc", &host, size_t{16}, 0u), 0);
  EXPECT_EQUAL(driver.call("cuMemAlloc_v2", &memory, size_t{16}), 0);
  auto *bytes = reinterpret_cast<unsigned char *>(host);
  for (int i = 0; i < 16; i++) bytes[i] = static_cast<unsigned char>(i);
  EXPECT_EQUAL(driver.call("cuMemcpyHtoDAsync_v2", memory, host, size_t{16}, uint64_t{0}), 0);
  EXPECT_EQUAL(driver.call("cuMemsetD8Async", memory + 4, static_cast<unsigned char>(7), size_t{2}, uint64_t{0}), 0);
  EXPECT_EQUAL(driver.call("cuMemcpyDtoHAsync_v2", host, memory, size_t{16}, uint64_t{0}), 0);
  EXPECT_EQUAL(driver.call("cuStreamSynchronize", uint64_t{0}), 0);
  EXPECT_EQUAL(int{bytes[3]}, 3);
  EXPECT_EQUAL(int{bytes[4]}, 7);
  EXPECT_EQUAL(driver.call("cuMemFree_v2", memory), 0);
  EXPECT_EQUAL(driver.call("cuMemFreeHost", host), 0);
  driver.close();
  EXPECT(driver.logged("cuMemAlloc bytes=16"));
  EXPECT(!driver.logged("VIOLATION"));
}

TEST("fake driver: reports incorrect calls") {
  const Driver driver;
  uint64_t memory = 0;
  EXPECT(driver.call("cuMemAlloc_v2", &memory, size_t{16}) != 0);
  EXPECT(driver.logged("VIOLATION cuMemAlloc: called before cuInit"));
  driver.open();
  EXPECT_EQUAL(driver.call("cuMemAlloc_v2", &memory, size_t{16}), 0);
  EXPECT(driver.call("cuMemsetD8Async", memory + 8, static_cast<unsigned char>(7), size_t{9}, uint64_t{0}) != 0);
  EXPECT(driver.logged("is beyond an allocation of 16"));
  EXPECT(driver.call("cuMemAlloc", &memory, 16u) != 0);
  EXPECT(driver.logged("VIOLATION cuMemAlloc: called in its first form"));
  EXPECT(driver.call("cuStreamSynchronize", memory) != 0);
  EXPECT(driver.logged("which is not a handle"));
  EXPECT_EQUAL(driver.call("cuMemFree_v2", memory), 0);
  EXPECT(driver.call("cuMemFree_v2", memory) != 0);
  EXPECT(driver.logged("was freed"));
  EXPECT_EQUAL(driver.call("cuMemAlloc_v2", &memory, size_t{16}), 0);
  driver.close();
  EXPECT(driver.logged("VIOLATION left: memory"));
}

TEST("fake driver: work stays in flight while it is held") {
  const Driver driver("hold streams\n");
  driver.open();
  uint64_t memory = 0;
  uint64_t stream = 0;
  EXPECT_EQUAL(driver.call("cuStreamCreateWithPriority", &stream, 1u, 0), 0);
  EXPECT_EQUAL(driver.call("cuMemAlloc_v2", &memory, size_t{16}), 0);
  EXPECT_EQUAL(driver.call("cuMemsetD8Async", memory, static_cast<unsigned char>(7), size_t{16}, stream), 0);
  EXPECT_EQUAL(driver.call("cuStreamQuery", stream), 600);
  driver.order("");
  EXPECT_EQUAL(driver.call("cuStreamSynchronize", stream), 0);
  EXPECT_EQUAL(driver.call("cuStreamQuery", stream), 0);
  driver.order("hold streams\n");
  EXPECT_EQUAL(driver.call("cuMemsetD8Async", memory, static_cast<unsigned char>(7), size_t{16}, stream), 0);
  EXPECT_EQUAL(driver.call("cuMemFree_v2", memory), 0);
  EXPECT(driver.logged("is in use by cuMemsetD8Async"));
}

TEST("fake driver: fails as the control file says") {
  const Driver driver("fail cuMemAlloc 2 2\nversion 11020\ndevices 2\n");
  driver.open();
  uint64_t memory = 0;
  EXPECT_EQUAL(driver.call("cuMemAlloc_v2", &memory, size_t{16}), 0);
  EXPECT_EQUAL(driver.call("cuMemFree_v2", memory), 0);
  EXPECT_EQUAL(driver.call("cuMemAlloc_v2", &memory, size_t{16}), 2);
  int count = 0;
  EXPECT_EQUAL(driver.call("cuDeviceGetCount", &count), 0);
  EXPECT_EQUAL(count, 2);
  void *function = nullptr;
  EXPECT_EQUAL(driver.call("cuGetProcAddress", "cuFuncGetName", &function, 11020, uint64_t{0}), 500);
  EXPECT_EQUAL(driver.call("cuGetProcAddress", "cuMemAlloc", &function, 3020, uint64_t{0}), 0);
  EXPECT(function != nullptr);
  driver.close();
  EXPECT(!driver.logged("VIOLATION"));
}

}  // namespace
