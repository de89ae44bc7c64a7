// Device memory and pinned host memory, pools, copies, fills.
#include <algorithm>
#include <cstring>

#include "api.h"
#include "work.h"

namespace fake {
namespace {

constexpr int kFirstWideAttribute = 4;
// Reserved and used memory, each with its current and its highest value; they can only be reset to 0.
constexpr int kFirstFigure = 5;
constexpr int kLastPoolAttribute = 8;

// The default pool of a device.
Pool *poolOf(Context &context) {
  Pool *&found = state().devicePools[context.device];
  if (found == nullptr) found = state().create<Pool>(&context);
  found->context = &context;
  found->ofDevice = true;
  return found;
}

int allocate(Call &call, Address *address, Allocation::Kind kind, uint64_t bytes, Pool *pool = nullptr) {
  if (bytes == 0) return call.wrong(kInvalidValue, "expected a size above 0");
  Allocation *made = state().allocate(kind, call.context(), bytes);
  if (made == nullptr) return kOutOfMemory;
  made->of = pool;
  if (pool != nullptr) pool->mostUsed = std::max(pool->mostUsed, state().used(pool));
  *address = made->address;
  call.at("address", made->address);
  return kSuccess;
}

// Only the beginning of an allocation may be freed.
Allocation *findWhole(Call &call, Address address, bool host) {
  Allocation *found = call.findMemory("address", address, 0, host);
  if (found == nullptr) return nullptr;
  if (found->address == address && found->kind != Allocation::variable) return found;
  call.complain(hex(address) + " was not allocated: it is a part, or a variable");
  return nullptr;
}

int release(Call &call, Address address, bool host) {
  if (const int code = refuseWhileCapturing(call); code != kSuccess) return code;
  Allocation *found = findWhole(call, address, host);
  if (found == nullptr) return kInvalidValue;
  if (const std::string user = userOf(*found); !user.empty()) call.complain(hex(address) + " is in use by " + user);
  state().release(*found);
  return kSuccess;
}

int releaseAsync(Call &call, Address address, Stream *stream) {
  Allocation *found = findWhole(call, address, false);
  if (found == nullptr || stream == nullptr) return kInvalidValue;
  found->freeing = true;
  Work work;
  work.what = "cuMemFreeAsync " + hex(address);
  work.run = [found, stream] {
    if (const std::string user = userOf(*found, stream); !user.empty()) {
      violation("cuMemFreeAsync: " + hex(found->address) + " is in use by " + user + " of another stream");
    }
    state().release(*found);
  };
  return submit(*stream, std::move(work));
}

// Both ends of a copy as bytes of this process.
struct End {
  Allocation *allocation;
  uint64_t offset;
  char *bytes() const { return allocation->memory + offset; }
};

int copy(Call &call, const char *what, End to, End from, uint64_t bytes, Stream *stream) {
  if (to.allocation == nullptr || from.allocation == nullptr || stream == nullptr) return kInvalidValue;
  if (to.allocation == from.allocation && to.offset < from.offset + bytes && from.offset < to.offset + bytes && bytes > 0) {
    return call.wrong(kInvalidValue, "source and destination overlap");
  }
  Work work;
  work.what = what;
  work.uses = {to.allocation, from.allocation};
  work.run = [=] {
    if (!to.allocation->freed && !from.allocation->freed) std::memcpy(to.bytes(), from.bytes(), bytes);
  };
  return submit(*stream, std::move(work));
}

End end(Call &call, const char *what, Address address, uint64_t bytes, bool host, const Context *of = nullptr) {
  Allocation *found = call.findMemory(what, address, bytes, host, of);
  return {found, found == nullptr ? 0 : address - found->address};
}

template <typename Unit>
int fill(const char *name, Address destination, Unit value, size_t count, Handle stream) {
  Call call(name, Needs::context);
  call.at("destination", destination).with("value", value).with("count", count).at("stream", stream);
  return call.run([&]() -> int {
    const End to = end(call, "destination", destination, count * sizeof(Unit), false);
    Stream *found = call.findStream(stream);
    if (to.allocation == nullptr || found == nullptr) return kInvalidValue;
    if (destination % sizeof(Unit) != 0) return call.wrong(kInvalidValue, "destination is not aligned");
    Work work;
    work.what = name;
    work.uses = {to.allocation};
    work.run = [=] {
      if (to.allocation->freed) return;
      for (size_t i = 0; i < count; i++) std::memcpy(to.bytes() + i * sizeof(Unit), &value, sizeof value);
    };
    return submit(*found, std::move(work));
  });
}

}  // namespace

FAKE_API int cuMemGetInfo_v2(size_t *free, size_t *total) {
  Call call("cuMemGetInfo", Needs::context);
  return call.run([&]() -> int {
    *total = state().control.memory;
    *free = *total - state().used(call.context());
    return kSuccess;
  });
}

FAKE_API int cuMemAlloc_v2(Address *address, size_t bytes) {
  Call call("cuMemAlloc", Needs::context);
  return call.with("bytes", bytes).run([&]() -> int {
    const int code = refuseWhileCapturing(call);
    return code == kSuccess ? allocate(call, address, Allocation::device, bytes) : code;
  });
}

FAKE_API int cuMemFree_v2(Address address) {
  Call call("cuMemFree", Needs::context);
  return call.at("address", address).run([&] { return release(call, address, false); });
}

FAKE_API int cuMemAllocAsync(Address *address, size_t bytes, Handle stream) {
  Call call("cuMemAllocAsync", Needs::context);
  return call.with("bytes", bytes).at("stream", stream).run([&]() -> int {
    if (call.findStream(stream) == nullptr) return kInvalidHandle;
    return allocate(call, address, Allocation::pool, bytes, poolOf(*call.context()));
  });
}

FAKE_API int cuMemAllocFromPoolAsync(Address *address, size_t bytes, Handle pool, Handle stream) {
  Call call("cuMemAllocFromPoolAsync", Needs::context);
  return call.with("bytes", bytes).at("pool", pool).at("stream", stream).run([&]() -> int {
    auto *found = call.find<Pool>(pool);
    if (call.findStream(stream) == nullptr || found == nullptr) return kInvalidHandle;
    return allocate(call, address, Allocation::pool, bytes, found);
  });
}

FAKE_API int cuMemFreeAsync(Address address, Handle stream) {
  Call call("cuMemFreeAsync", Needs::context);
  return call.at("address", address).at("stream", stream).run([&] {
    return releaseAsync(call, address, call.findStream(stream));
  });
}

FAKE_API int cuMemHostAlloc(Address *address, size_t bytes, unsigned flags) {
  Call call("cuMemHostAlloc", Needs::context);
  return call.with("bytes", bytes).with("flags", flags).run([&]() -> int {
    if (const int code = refuseWhileCapturing(call); code != kSuccess) return code;
    return flags > 7 ? call.wrong(kInvalidValue, "unknown flags") : allocate(call, address, Allocation::host, bytes);
  });
}

FAKE_API int cuMemFreeHost(Address address) {
  Call call("cuMemFreeHost", Needs::context);
  return call.at("address", address).run([&] { return release(call, address, true); });
}

FAKE_API int cuMemPoolCreate(Handle *pool, const PoolProperties *properties) {
  Call call("cuMemPoolCreate", Needs::context);
  call.with("device", properties->locationId).with("maxSize", properties->maxSize);
  return call.run([&]() -> int {
    bool clean = properties->handleTypes == 0 && properties->securityAttributes == nullptr;
    for (const unsigned char byte : properties->reserved) clean = clean && byte == 0;
    if (!clean || properties->allocationType != 1 || properties->locationType != 1 ||
        properties->locationId != call.context()->device) {
      return call.wrong(kInvalidValue, "expected pinned memory of this device, and 0 in what is reserved");
    }
    *pool = state().create<Pool>(call.context())->handle;
    call.at("pool", *pool);
    return kSuccess;
  });
}

FAKE_API int cuMemPoolDestroy(Handle pool) {
  Call call("cuMemPoolDestroy", Needs::context);
  return call.at("pool", pool).run([&]() -> int {
    auto *found = call.find<Pool>(pool);
    if (found == nullptr) return kInvalidHandle;
    if (found->ofDevice) return call.wrong(kInvalidValue, "the pool of the device can't be destroyed");
    found->destroyed = true;
    return kSuccess;
  });
}

FAKE_API int cuMemPoolTrimTo(Handle pool, size_t bytes) {
  Call call("cuMemPoolTrimTo", Needs::context);
  return call.at("pool", pool).with("bytes", bytes).run([&]() -> int {
    return call.find<Pool>(pool) == nullptr ? kInvalidHandle : kSuccess;
  });
}

FAKE_API int cuMemPoolSetAttribute(Handle pool, int attribute, void *value) {
  Call call("cuMemPoolSetAttribute", Needs::context);
  return call.at("pool", pool).with("attribute", attribute).run([&]() -> int {
    auto *found = call.find<Pool>(pool);
    if (found == nullptr) return kInvalidHandle;
    if (attribute < 1 || attribute > kLastPoolAttribute) return call.wrong(kInvalidValue, "no such attribute");
    uint64_t number = 0;
    std::memcpy(&number, value, attribute < kFirstWideAttribute ? 4 : 8);
    call.with("value", number);
    if (attribute >= kFirstFigure && number != 0) return kInvalidValue;
    if (attribute >= kFirstFigure) found->mostUsed = state().used(found);
    found->attributes[attribute] = number;
    return kSuccess;
  });
}

FAKE_API int cuMemPoolGetAttribute(Handle pool, int attribute, void *value) {
  Call call("cuMemPoolGetAttribute", Needs::context);
  return call.at("pool", pool).with("attribute", attribute).run([&]() -> int {
    auto *found = call.find<Pool>(pool);
    if (found == nullptr) return kInvalidHandle;
    if (attribute < 1 || attribute > kLastPoolAttribute) return call.wrong(kInvalidValue, "no such attribute");
    const bool mosts = attribute % 2 == 0;
    const uint64_t number = attribute < kFirstFigure ? found->attributes[attribute]
                            : mosts                  ? found->mostUsed
                                                     : state().used(found);
    std::memcpy(value, &number, attribute < kFirstWideAttribute ? 4 : 8);
    return kSuccess;
  });
}

FAKE_API int cuDeviceGetDefaultMemPool(Handle *pool, int device) {
  Call call("cuDeviceGetDefaultMemPool", Needs::context);
  return call.with("device", device).run([&]() -> int {
    if (device != call.context()->device) return call.wrong(kInvalidDevice, "expected the device of the context");
    *pool = poolOf(*call.context())->handle;
    call.at("pool", *pool);
    return kSuccess;
  });
}

FAKE_API int cuMemcpyHtoDAsync_v2(Address destination, Address source, size_t bytes, Handle stream) {
  Call call("cuMemcpyHtoDAsync", Needs::context);
  call.at("destination", destination).at("source", source).with("bytes", bytes).at("stream", stream);
  return call.run([&] {
    return copy(call, "cuMemcpyHtoDAsync", end(call, "destination", destination, bytes, false),
                end(call, "source", source, bytes, true), bytes, call.findStream(stream));
  });
}

FAKE_API int cuMemcpyDtoHAsync_v2(Address destination, Address source, size_t bytes, Handle stream) {
  Call call("cuMemcpyDtoHAsync", Needs::context);
  call.at("destination", destination).at("source", source).with("bytes", bytes).at("stream", stream);
  return call.run([&] {
    return copy(call, "cuMemcpyDtoHAsync", end(call, "destination", destination, bytes, true),
                end(call, "source", source, bytes, false), bytes, call.findStream(stream));
  });
}

FAKE_API int cuMemcpyDtoDAsync_v2(Address destination, Address source, size_t bytes, Handle stream) {
  Call call("cuMemcpyDtoDAsync", Needs::context);
  call.at("destination", destination).at("source", source).with("bytes", bytes).at("stream", stream);
  return call.run([&] {
    return copy(call, "cuMemcpyDtoDAsync", end(call, "destination", destination, bytes, false),
                end(call, "source", source, bytes, false), bytes, call.findStream(stream));
  });
}

FAKE_API int cuMemcpyPeerAsync(Address destination, Handle to, Address source, Handle from, size_t bytes, Handle stream) {
  Call call("cuMemcpyPeerAsync", Needs::context);
  call.at("destination", destination).at("to", to).at("source", source).at("from", from).with("bytes", bytes);
  return call.at("stream", stream).run([&]() -> int {
    const auto *toContext = call.find<Context>(to, true);
    const auto *fromContext = call.find<Context>(from, true);
    if (toContext == nullptr || fromContext == nullptr) return kInvalidContext;
    const End there = end(call, "destination", destination, bytes, false, toContext);
    const End here = end(call, "source", source, bytes, false, fromContext);
    return copy(call, "cuMemcpyPeerAsync", there, here, bytes, call.findStream(stream));
  });
}

FAKE_API int cuMemsetD8Async(Address destination, unsigned char value, size_t count, Handle stream) {
  return fill("cuMemsetD8Async", destination, value, count, stream);
}

FAKE_API int cuMemsetD16Async(Address destination, unsigned short value, size_t count, Handle stream) {
  return fill("cuMemsetD16Async", destination, value, count, stream);
}

FAKE_API int cuMemsetD32Async(Address destination, unsigned value, size_t count, Handle stream) {
  return fill("cuMemsetD32Async", destination, value, count, stream);
}

}  // namespace fake
