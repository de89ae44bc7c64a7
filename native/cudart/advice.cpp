// Hints about managed memory: advice and prefetches. They change nothing on a device whose memory is the host's, but
// programs may ask what the last ones were. Copies and hints in batches are here as well.
#include <string.h>

#include <algorithm>

#include "errors.h"
#include "host_memory.h"
#include "mutex.h"
#include "objects.h"

namespace cudart {
namespace {

/** What a program has said about bytes of managed memory: an attribute's new value. */
struct Hint {
  uint64_t begin, end;
  int attribute;
  Location location;
};

struct Hints {
  Mutex mutex;
  std::vector<Hint> given;
};

Hints& hints() {
  static auto* made = new Hints;
  return *made;
}

/** Removes the hints inside a range, of one attribute or, with 0, of all. */
void remove_hints(uint64_t begin, uint64_t end, int attribute) {
  auto& all = hints().given;
  const auto is_inside = [&](const Hint& one) {
    return (attribute == 0 || one.attribute == attribute) && one.begin >= begin && one.end <= end;
  };
  all.erase(std::remove_if(all.begin(), all.end(), is_inside), all.end());
}

}  // namespace

void forget_hints(uint64_t address, size_t bytes) {
  Hold hold(hints().mutex);
  remove_hints(address, address + bytes, 0);
}

}  // namespace cudart

using namespace cudart;

extern "C" Error cudaMemcpyAsync(void* target, const void* source, size_t bytes, MemcpyKind kind, Stream* stream);

namespace {

enum Attribute : int {
  READ_MOSTLY = 1,
  PREFERRED = 2,
  ACCESSED_BY = 3,
  LAST_PREFETCH = 4,
  PREFERRED_TYPE = 5,
  PREFERRED_ID = 6,
  LAST_PREFETCH_TYPE = 7,
  LAST_PREFETCH_ID = 8,
};

Error give_hint(const void* pointer, size_t bytes, int attribute, Location location) {
  SharedFacts facts;
  if (!find_shared(pointer, &facts) || facts.sharing == Sharing::PINNED) return INVALID_VALUE;
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  if (bytes == 0 || begin + bytes > facts.address + facts.bytes) return INVALID_VALUE;
  if (location.type == ON_THE_DEVICE && location.id != 0) return INVALID_DEVICE;
  Hold hold(hints().mutex);
  // A hint replaces those that it covers, so that loops that prefetch do not collect them.
  remove_hints(begin, begin + bytes, attribute);
  hints().given.push_back({begin, begin + bytes, attribute, location});
  return device_error();
}

/** The last value of an attribute, if all bytes have it; otherwise none, whose type is 0. */
Location last_hint(uint64_t begin, size_t bytes, int attribute) {
  Hold hold(hints().mutex);
  const auto& all = hints().given;
  for (size_t i = all.size(); i-- > 0;) {
    const Hint& one = all[i];
    if (one.attribute != attribute || one.end <= begin || one.begin >= begin + bytes) continue;
    return one.begin <= begin && one.end >= begin + bytes ? one.location : Location{};
  }
  return {};
}

int device_number(const Location& location) {
  return location.type == ON_THE_DEVICE ? location.id : location.type == 0 ? NO_DEVICE : CPU_DEVICE;
}

Error advise(const void* pointer, size_t bytes, int advice, Location location) {
  // Advice has odd numbers where it sets an attribute, and even ones where it takes it back.
  constexpr int ATTRIBUTES[] = {READ_MOSTLY, PREFERRED, ACCESSED_BY};
  if (advice < 1 || advice > 6) return INVALID_VALUE;
  const int attribute = ATTRIBUTES[(advice - 1) / 2];
  if (attribute == READ_MOSTLY) location = {ON_THE_DEVICE, 0};
  return give_hint(pointer, bytes, attribute, advice % 2 == 1 ? location : Location{0, location.id});
}

Error range_attribute(void* data, size_t data_bytes, int attribute, const void* pointer, size_t bytes) {
  SharedFacts facts;
  if (data == nullptr || !find_shared(pointer, &facts) || facts.sharing == Sharing::PINNED) return INVALID_VALUE;
  if (attribute < READ_MOSTLY || attribute > LAST_PREFETCH_ID || data_bytes < sizeof(int)) return INVALID_VALUE;
  const int asked = attribute <= LAST_PREFETCH ? attribute : attribute <= PREFERRED_ID ? PREFERRED : LAST_PREFETCH;
  const Location last = last_hint(reinterpret_cast<uint64_t>(pointer), bytes, asked);
  int value = device_number(last);
  if (attribute == READ_MOSTLY) value = last.type == 0 ? 0 : 1;
  if (attribute == PREFERRED_TYPE || attribute == LAST_PREFETCH_TYPE) value = last.type;
  if (attribute == PREFERRED_ID || attribute == LAST_PREFETCH_ID) value = last.id;
  auto* values = static_cast<int*>(data);
  values[0] = value;
  if (attribute != ACCESSED_BY) return SUCCESS;
  for (size_t i = 1; i < data_bytes / sizeof(int); i++) values[i] = NO_DEVICE;
  return SUCCESS;
}

}  // namespace

#if MM_PTX_CUDART_VERSION >= 13
CUDART_EXPORT Error cudaMemAdvise(const void* pointer, size_t bytes, int advice, Location location) {
  return result(advise(pointer, bytes, advice, location));
}
CUDART_EXPORT Error cudaMemPrefetchAsync(const void* pointer, size_t bytes, Location location, unsigned, Stream*) {
  return result(give_hint(pointer, bytes, LAST_PREFETCH, location));
}
#else
namespace {

Location location_of(int device) {
  return device == CPU_DEVICE ? Location{ON_THE_HOST, 0} : Location{ON_THE_DEVICE, device};
}

}  // namespace

CUDART_EXPORT Error cudaMemAdvise(const void* pointer, size_t bytes, int advice, int device) {
  return result(advise(pointer, bytes, advice, location_of(device)));
}
CUDART_EXPORT Error cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, Stream*) {
  return result(give_hint(pointer, bytes, LAST_PREFETCH, location_of(device)));
}
CUDART_EXPORT Error cudaMemAdvise_v2(const void* pointer, size_t bytes, int advice, Location location) {
  return result(advise(pointer, bytes, advice, location));
}
CUDART_EXPORT Error cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, Location location, unsigned, Stream*) {
  return result(give_hint(pointer, bytes, LAST_PREFETCH, location));
}
CUDART_PTSZ(cudaMemPrefetchAsync_v2)
#endif
CUDART_PTSZ(cudaMemPrefetchAsync)

CUDART_EXPORT Error cudaMemRangeGetAttribute(void* data, size_t data_bytes, int attribute, const void* pointer,
                                             size_t bytes) {
  return result(range_attribute(data, data_bytes, attribute, pointer, bytes));
}
CUDART_EXPORT Error cudaMemRangeGetAttributes(void** data, const size_t* data_bytes, const int* attributes,
                                              size_t count, const void* pointer, size_t bytes) {
  for (size_t i = 0; i < count; i++)
    if (const Error error = range_attribute(data[i], data_bytes[i], attributes[i], pointer, bytes))
      return result(error);
  return SUCCESS;
}

#if MM_PTX_CUDART_VERSION >= 13
CUDART_EXPORT Error cudaMemcpyBatchAsync(void* const* targets, const void* const* sources, const size_t* bytes,
                                         size_t count, const void*, const size_t*, size_t, Stream* stream) {
#else
CUDART_EXPORT Error cudaMemcpyBatchAsync(void* const* targets, const void* const* sources, const size_t* bytes,
                                         size_t count, const void*, const size_t*, size_t, size_t* failed,
                                         Stream* stream) {
  if (failed != nullptr) *failed = SIZE_MAX;
#endif
  if (targets == nullptr || sources == nullptr || bytes == nullptr) return result(INVALID_VALUE);
  for (size_t i = 0; i < count; i++) {
    const Error error = cudaMemcpyAsync(targets[i], sources[i], bytes[i], DEFAULT_KIND, stream);
    if (error != SUCCESS) return error;
  }
  return SUCCESS;
}
CUDART_PTSZ(cudaMemcpyBatchAsync)
#if MM_PTX_CUDART_VERSION >= 13
CUDART_EXPORT Error cudaMemPrefetchBatchAsync(const void* const* pointers, const size_t* bytes, size_t count,
                                              const Location* locations, const size_t* indices, size_t location_count,
                                              unsigned long long, Stream*) {
  // Each location is for the pointers from its index on.
  size_t current = 0;
  if (location_count == 0) return result(INVALID_VALUE);
  for (size_t i = 0; i < count; i++) {
    while (current + 1 < location_count && indices[current + 1] <= i) current++;
    if (const Error error = give_hint(pointers[i], bytes[i], LAST_PREFETCH, locations[current])) return result(error);
  }
  return SUCCESS;
}
CUDART_PTSZ(cudaMemPrefetchBatchAsync)
// Discarded memory has any value until it is written, so what it had will do.
CUDART_EXPORT Error cudaMemDiscardBatchAsync(void**, const size_t*, size_t, unsigned long long, Stream*) {
  return result(device_error());
}
CUDART_PTSZ(cudaMemDiscardBatchAsync)
CUDART_EXPORT Error cudaMemDiscardAndPrefetchBatchAsync(void** pointers, const size_t* bytes, size_t count,
                                                        const Location* locations, const size_t* indices,
                                                        size_t location_count, unsigned long long flags,
                                                        Stream* stream) {
  return cudaMemPrefetchBatchAsync(pointers, bytes, count, locations, indices, location_count, flags, stream);
}
CUDART_PTSZ(cudaMemDiscardAndPrefetchBatchAsync)
#endif
