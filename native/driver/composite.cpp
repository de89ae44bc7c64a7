// Operations that call more than one driver function, or that have an interface of their own.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "at_exit.h"
#include "call.h"

namespace mmptx {
namespace {

// Values of CUjit_option.
enum JitOption : int32_t {
  kMaxRegisters = 0,
  kInfoLog = 3,
  kInfoLogBytes = 4,
  kErrorLog = 5,
  kErrorLogBytes = 6,
  kOptimisationLevel = 7,
  kLogVerbose = 12,
};
constexpr std::size_t kLogBytes = 1 << 16;
constexpr uint64_t kDefaultLevel = 0xff;

// CUmemPoolProps.
struct PoolProperties {
  uint32_t allocationType;
  uint32_t handleTypes;
  uint32_t locationType;
  int32_t locationId;
  void *securityAttributes;
  std::size_t maxBytes;
  uint8_t reserved[56];
};
static_assert(sizeof(PoolProperties) == 88 || sizeof(void *) != 8, "the driver reads it");
constexpr uint32_t kPinned = 1;
constexpr uint32_t kOnDevice = 1;

}  // namespace

int runOpen(Call &call) {
  if (call.context() != nullptr) return call.malformed("expected a session without a device");
  int device = 0;
  void *context = nullptr;
  int status = call.call(Function::cuInit, 0u);
  if (status == kDone) status = call.call(Function::cuDeviceGet, &device, static_cast<int>(call.slot()));
  if (status == kDone) status = call.call(Function::cuDevicePrimaryCtxRetain, &context, device);
  if (status != kDone) return status;
  status = call.call(Function::cuCtxSetCurrent, context);
  if (status != kDone) {
    call.driver().call(Function::cuDevicePrimaryCtxRelease, device);
    return status;
  }
  // The driver shuts itself down when the process exits; sessions have to be closed before that.
  static const bool registered = (closeFirstAtExit(), true);
  (void)registered;
  call.device() = device;
  call.context() = context;
  call.reply.values = {wordOf(device), wordOf(context)};
  return status;
}

int runDeviceGetName(Call &call) {
  char name[256] = {};
  const int status =
      call.call(Function::cuDeviceGetName, &name[0], static_cast<int>(sizeof name), static_cast<int>(call.slot()));
  if (status == kDone) call.reply.text.assign(name, strnlen(name, sizeof name));
  return status;
}

int runMemPoolCreate(Call &call) {
  PoolProperties properties{};
  properties.allocationType = kPinned;
  properties.locationType = kOnDevice;
  properties.locationId = call.device();
  properties.maxBytes = call.slot();
  void *pool = nullptr;
  const int status = call.call(Function::cuMemPoolCreate, &pool, static_cast<const PoolProperties *>(&properties));
  if (status != kDone) return status;
  call.registry().add(Kind::pool, wordOf(pool));
  call.reply.values = {wordOf(pool)};
  return status;
}

int runEnumerateFunctions(Call &call) {
  const auto count = static_cast<uint32_t>(call.slot());
  // A module has at most this many.
  constexpr uint32_t kMost = 1 << 20;
  if (count > kMost) return call.malformed("expected a module's number of functions");
  std::vector<void *> functions(count == 0 ? 1 : count);
  const int status = call.call(Function::cuModuleEnumerateFunctions, functions.data(), count, pointerOf(call.slot()));
  for (uint32_t i = 0; status == kDone && i < count; i++) call.reply.values.push_back(wordOf(functions[i]));
  return status;
}

int runLoad(Call &call) {
  const bool jit = call.slot() != 0;
  const uint64_t maxRegisters = call.slot();
  const uint64_t level = call.slot();
  const bool verbose = call.slot() != 0;
  // PTX must end with a NUL.
  const std::string image = call.text();
  std::vector<char> info;
  std::vector<char> error;
  std::vector<int32_t> options;
  std::vector<void *> values;
  const auto set = [&](JitOption option, void *value) {
    options.push_back(option);
    values.push_back(value);
  };
  if (jit) {
    info.resize(kLogBytes);
    error.resize(kLogBytes);
    set(kInfoLog, info.data());
    set(kInfoLogBytes, pointerOf(kLogBytes));
    set(kErrorLog, error.data());
    set(kErrorLogBytes, pointerOf(kLogBytes));
    if (verbose) set(kLogVerbose, pointerOf(1));
    if (maxRegisters != 0) set(kMaxRegisters, pointerOf(maxRegisters));
    if (level != kDefaultLevel) set(kOptimisationLevel, pointerOf(level));
  }
  void *module = nullptr;
  const int status = call.call(Function::cuModuleLoadDataEx, &module, static_cast<const void *>(image.data()),
                               static_cast<uint32_t>(options.size()), options.data(), values.data());
  const auto logged = [](const std::vector<char> &log) {
    return std::string(log.begin(), std::find(log.begin(), log.end(), '\0'));
  };
  const std::string logs = logged(info) + std::string(1, '\0') + logged(error);
  call.reply.payload = Bytes(logs.data(), logs.size());
  if (status != kDone) return status;
  call.registry().add(Kind::module, wordOf(module));
  call.reply.values = {wordOf(module)};
  return status;
}

int runAllocations(Call &call) {
  const auto counts = call.registry().counts();
  call.reply.values.assign(counts.begin(), counts.end());
  return kDone;
}

}  // namespace mmptx
