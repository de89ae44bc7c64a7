// Modules, their kernels and variables.
#include <algorithm>
#include <cstring>

#include "api.h"
#include "work.h"

namespace fake {
namespace {

constexpr char kInfoText[] = "fake driver: what a compiler would tell";
constexpr char kErrorText[] = "fake driver: what a compiler would complain of";

// A log with its length, which is returned.
struct JitLog {
  char *text = nullptr;
  void **bytes = nullptr;

  void write(const char *line) const {
    if (text == nullptr || bytes == nullptr || *bytes == nullptr) return;
    const size_t room = reinterpret_cast<size_t>(*bytes);
    const size_t count = std::min(room - 1, std::strlen(line));
    std::memcpy(text, line, count);
    text[count] = '\0';
    *bytes = reinterpret_cast<void *>(count + 1);
  }
};

struct JitLogs {
  JitLog info;
  JitLog error;
};

bool readOptions(Call &call, unsigned count, const int *options, void **values, JitLogs &logs) {
  for (unsigned i = 0; i < count; i++) {
    if (options[i] < 0 || options[i] > kLastJitOption) return false;
    call.with(("option" + std::to_string(options[i])).c_str(),
              options[i] == kJitInfoLog || options[i] == kJitErrorLog ? "buffer" : hex(reinterpret_cast<uint64_t>(values[i])));
    if (options[i] == kJitInfoLog) logs.info.text = static_cast<char *>(values[i]);
    if (options[i] == kJitInfoLogBytes) logs.info.bytes = &values[i];
    if (options[i] == kJitErrorLog) logs.error.text = static_cast<char *>(values[i]);
    if (options[i] == kJitErrorLogBytes) logs.error.bytes = &values[i];
  }
  return true;
}

int load(Call &call, Handle *module, const void *image, const JitLogs &logs) {
  Image read;
  if (!readImage(image, read)) {
    logs.error.write(kErrorText);
    return kInvalidImage;
  }
  const int arch = deviceAttribute(kComputeCapabilityMajor) * 10 + deviceAttribute(kComputeCapabilityMinor);
  if (!read.ptx && read.arch != 0 && (read.arch / 10 != arch / 10 || read.arch > arch)) return kNoBinaryForGpu;
  if (read.ptx) logs.info.write(kInfoText);
  auto *made = state().create<Module>(call.context());
  for (const Variable &each : read.variables) {
    made->variables[each.name] = state().allocate(Allocation::variable, call.context(), each.bytes);
  }
  for (const Kernel &each : read.kernels) {
    auto *function = state().create<Function>(call.context());
    function->module = made;
    function->kernel = each;
    made->functions.push_back(function);
  }
  *module = made->handle;
  call.with("kernels", read.kernels.size()).at("module", *module);
  return kSuccess;
}

int attributeOf(const Function &function, int attribute) {
  switch (attribute) {
    case kFunctionMaxThreads:
      return function.kernel.maxThreads;
    case kFunctionShared:
      return function.kernel.sharedBytes;
    case kFunctionConstant:
      return function.kernel.constantBytes;
    case kFunctionRegisters:
      return function.kernel.registers;
    case kFunctionPtxVersion:
    case kFunctionBinaryVersion:
      return deviceAttribute(kComputeCapabilityMajor) * 10 + deviceAttribute(kComputeCapabilityMinor);
    case kFunctionMaxDynamicShared:
      return function.dynamicShared > 0 ? function.dynamicShared
                                        : deviceAttribute(kSharedPerBlock) - function.kernel.sharedBytes;
    default:
      return 0;
  }
}

}  // namespace

FAKE_API int cuModuleLoadDataEx(Handle *module, const void *image, unsigned count, const int *options, void **values) {
  Call call("cuModuleLoadDataEx", Needs::context);
  JitLogs logs;
  const bool known = readOptions(call, count, options, values, logs);
  const int code = call.run([&]() -> int {
    return known ? load(call, module, image, logs) : call.wrong(kInvalidValue, "unknown option");
  });
  if (code != kSuccess) logs.error.write(kErrorText);
  return code;
}

FAKE_API int cuModuleUnload(Handle module) {
  Call call("cuModuleUnload", Needs::context);
  return call.at("module", module).run([&]() -> int {
    auto *found = call.find<Module>(module);
    if (found == nullptr) return kInvalidHandle;
    for (Function *each : found->functions) {
      each->destroyed = true;
      if (const std::string user = userOf(*each); !user.empty()) call.complain("a kernel of it is in use by " + user);
    }
    for (const auto &[name, variable] : found->variables) {
      if (variable == nullptr) continue;
      if (const std::string user = userOf(*variable); !user.empty()) call.complain(name + " is in use by " + user);
      state().release(*variable);
    }
    found->destroyed = true;
    return kSuccess;
  });
}

FAKE_API int cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  Call call("cuModuleGetFunction", Needs::context);
  return call.at("module", module).with("name", name).run([&]() -> int {
    auto *found = call.find<Module>(module);
    if (found == nullptr) return kInvalidHandle;
    for (const Function *each : found->functions) {
      if (each->kernel.name != name) continue;
      *function = each->handle;
      call.at("function", *function);
      return kSuccess;
    }
    return kNotFound;
  });
}

FAKE_API int cuModuleGetGlobal_v2(Address *address, size_t *bytes, Handle module, const char *name) {
  Call call("cuModuleGetGlobal", Needs::context);
  return call.at("module", module).with("name", name).run([&]() -> int {
    auto *found = call.find<Module>(module);
    if (found == nullptr) return kInvalidHandle;
    const auto variable = found->variables.find(name);
    if (variable == found->variables.end()) return kNotFound;
    *address = variable->second->address;
    *bytes = variable->second->bytes;
    return kSuccess;
  });
}

FAKE_API int cuModuleGetFunctionCount(unsigned *count, Handle module) {
  Call call("cuModuleGetFunctionCount", Needs::context);
  return call.at("module", module).run([&]() -> int {
    const auto *found = call.find<Module>(module);
    if (found == nullptr) return kInvalidHandle;
    *count = static_cast<unsigned>(found->functions.size());
    return kSuccess;
  });
}

FAKE_API int cuModuleEnumerateFunctions(Handle *functions, unsigned count, Handle module) {
  Call call("cuModuleEnumerateFunctions", Needs::context);
  return call.at("module", module).with("count", count).run([&]() -> int {
    const auto *found = call.find<Module>(module);
    if (found == nullptr) return kInvalidHandle;
    for (unsigned i = 0; i < count && i < found->functions.size(); i++) functions[i] = found->functions[i]->handle;
    return kSuccess;
  });
}

FAKE_API int cuFuncGetName(const char **name, Handle function) {
  Call call("cuFuncGetName", Needs::context);
  return call.at("function", function).run([&]() -> int {
    const auto *found = call.find<Function>(function);
    if (found == nullptr) return kInvalidHandle;
    *name = found->kernel.name.c_str();
    return kSuccess;
  });
}

FAKE_API int cuFuncGetAttribute(int *value, int attribute, Handle function) {
  Call call("cuFuncGetAttribute", Needs::context);
  return call.with("attribute", attribute).at("function", function).run([&]() -> int {
    const auto *found = call.find<Function>(function);
    if (found == nullptr) return kInvalidHandle;
    if (attribute < 0 || attribute > kLastFunctionAttribute) return call.wrong(kInvalidValue, "no such attribute");
    *value = attributeOf(*found, attribute);
    return kSuccess;
  });
}

FAKE_API int cuFuncSetAttribute(Handle function, int attribute, int value) {
  Call call("cuFuncSetAttribute", Needs::context);
  return call.at("function", function).with("attribute", attribute).with("value", value).run([&]() -> int {
    auto *found = call.find<Function>(function);
    if (found == nullptr) return kInvalidHandle;
    if (attribute != kFunctionMaxDynamicShared) return kSuccess;
    if (value < 0 || value + found->kernel.sharedBytes > deviceAttribute(kSharedPerBlockOptIn)) return kInvalidValue;
    found->dynamicShared = value;
    return kSuccess;
  });
}

FAKE_API int cuFuncGetParamInfo(Handle function, size_t index, size_t *offset, size_t *bytes) {
  Call call("cuFuncGetParamInfo", Needs::context);
  return call.at("function", function).with("index", index).run([&]() -> int {
    const auto *found = call.find<Function>(function);
    if (found == nullptr) return kInvalidHandle;
    if (index >= found->kernel.parameters.size()) return kInvalidValue;
    *offset = found->kernel.parameters[index].offset;
    *bytes = found->kernel.parameters[index].bytes;
    return kSuccess;
  });
}

FAKE_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Handle function, int blockSize, size_t shared) {
  Call call("cuOccupancyMaxActiveBlocksPerMultiprocessor", Needs::context);
  return call.at("function", function).with("blockSize", blockSize).with("shared", shared).run([&]() -> int {
    if (call.find<Function>(function) == nullptr) return kInvalidHandle;
    if (blockSize < 1) return call.wrong(kInvalidValue, "expected a block size above 0");
    *blocks = std::min(32, deviceAttribute(kThreadsPerMultiprocessor) / blockSize);
    return kSuccess;
  });
}

FAKE_API int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, Handle function, size_t (*sharedOf)(int),
                                              size_t shared, int limit) {
  Call call("cuOccupancyMaxPotentialBlockSize", Needs::context);
  return call.at("function", function).with("shared", shared).with("limit", limit).run([&]() -> int {
    const auto *found = call.find<Function>(function);
    if (found == nullptr) return kInvalidHandle;
    if (sharedOf != nullptr && shared != 0) return call.wrong(kInvalidValue, "expected a size or a function");
    *block = limit > 0 ? std::min(limit, found->kernel.maxThreads) : found->kernel.maxThreads;
    *grid = deviceAttribute(kMultiprocessors) * deviceAttribute(kThreadsPerMultiprocessor) / *block;
    return kSuccess;
  });
}

}  // namespace fake
