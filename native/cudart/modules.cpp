#include "modules.h"

#include <string.h>

#include <unordered_map>

#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "mutex.h"

namespace cudart {
namespace {

constexpr uint32_t WRAPPER_MAGIC = 0x466243b1;
constexpr uint32_t FATBIN_MAGIC = 0xba55ed50;

/** What `__cudaRegisterFatBinary` gets. */
struct Wrapper {
  uint32_t magic, version;
  const void* image;
  /** In version 2: the images of the files that were linked, ended by null. */
  const void** linked;
};

struct FatbinHeader {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes;
};

struct Registered {
  Mutex mutex;
  std::vector<Module*> modules;
  std::unordered_map<const void*, Kernel*> kernels;
  std::unordered_map<const void*, Variable*> variables;
  std::unordered_map<const void*, Kernel*> handles;
};

Registered& registered() {
  static Registered* made = new Registered;
  return *made;
}

/** Fatbins may follow each other without a gap. */
size_t image_bytes(const void* image) {
  FatbinHeader header;
  memcpy(&header, image, sizeof header);
  if (header.magic != FATBIN_MAGIC) return strnlen(static_cast<const char*>(image), size_t{1} << 30);
  return header.header_bytes + header.bytes;
}

Error load(Module* module) {
  if (module->loaded) return module->load_error;
  module->loaded = true;
  Message message(Operation::LOAD_MODULE);
  message.add(static_cast<uint32_t>(module->images.size()));
  for (const void* image : module->images) {
    const uint64_t bytes = image_bytes(image);
    message.add(reinterpret_cast<uint64_t>(image)).add(bytes);
    if (device().direct == 0) message.add(image, bytes);
  }
  std::string managed;
  for (const auto* one : module->variables)
    if (one->managed) managed += one->name + '\n';
  message.add(static_cast<uint32_t>(managed.size())).add(managed.data(), managed.size());
  Answer answer;
  module->load_error = request(message, &answer);
  if (module->load_error == SUCCESS && answer.size() >= 4) memcpy(&module->id, answer.data(), 4);
  if (module->load_error != SUCCESS) return module->load_error;
  for (auto* one : module->variables) {
    if (!one->managed) continue;
    const Error error = load(one);
    if (error != SUCCESS) return module->load_error = error;
  }
  return SUCCESS;
}

}  // namespace

Kernel* find_kernel(const void* function) {
  Hold hold(registered().mutex);
  auto& all = registered();
  const auto found = all.kernels.find(function);
  if (found != all.kernels.end()) return found->second;
  const auto handle = all.handles.find(function);
  return handle == all.handles.end() ? nullptr : handle->second;
}

Error load(Kernel* kernel) {
  if (kernel->loaded) return kernel->load_error;
  Hold hold(registered().mutex);
  if (kernel->loaded) return kernel->load_error;
  if (const Error error = load(kernel->module)) return error;
  Message message(Operation::FIND_KERNEL);
  message.add(kernel->module->id).add_text(kernel->name.c_str());
  Answer answer;
  const Error error = request(message, &answer);
  if (error == SUCCESS) {
    memcpy(&kernel->facts, answer.data(), sizeof(KernelAnswer));
    kernel->parameters.resize(kernel->facts.parameters);
    memcpy(kernel->parameters.data(), answer.data() + sizeof(KernelAnswer),
           kernel->parameters.size() * sizeof(Parameter));
  }
  kernel->load_error = error;
  kernel->loaded = true;
  return error;
}

Variable* find_variable(const void* symbol) {
  Hold hold(registered().mutex);
  auto& all = registered();
  const auto found = all.variables.find(symbol);
  return found == all.variables.end() ? nullptr : found->second;
}

Error load(Variable* variable) {
  Hold hold(registered().mutex);
  if (variable->loaded) return SUCCESS;
  if (const Error error = load(variable->module)) return error;
  if (variable->loaded) return SUCCESS;
  Message message(Operation::FIND_VARIABLE);
  message.add(variable->module->id).add_text(variable->name.c_str());
  Answer answer;
  if (const Error error = request(message, &answer)) return error;
  uint64_t place[2];
  memcpy(place, answer.data(), sizeof place);
  variable->address = place[0];
  variable->bytes = place[1];
  variable->loaded = true;
  remember_memory(variable->address, variable->bytes);
  if (!variable->managed) return SUCCESS;
  *variable->pointer = reinterpret_cast<void*>(variable->address);
  return mirror_variable(variable->address, variable->bytes);
}

Error symbol_address(const void* symbol, size_t offset, size_t bytes, uint64_t* address) {
  Variable* variable = find_variable(symbol);
  if (variable == nullptr) return INVALID_SYMBOL;
  if (const Error error = load(variable)) return error;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return INVALID_VALUE;
  *address = variable->address + offset;
  return SUCCESS;
}

void load_managed() {
  Hold hold(registered().mutex);
  for (auto* module : registered().modules) {
    for (const auto* one : module->variables) {
      if (!one->managed) continue;
      load(module);
      break;
    }
  }
}

void forget_loaded() {
  Hold hold(registered().mutex);
  auto& all = registered();
  for (auto* module : all.modules) {
    module->loaded = false;
    module->load_error = SUCCESS;
    for (auto* one : module->variables) one->loaded = false;
    for (auto* one : module->kernels) one->loaded = false;
  }
}

Module* module_of(const void* image) {
  Hold hold(registered().mutex);
  auto* module = new Module;
  module->images.push_back(image);
  registered().modules.push_back(module);
  return module;
}

Kernel* kernel_of(Module* module, const char* name) {
  Hold hold(registered().mutex);
  for (auto* one : module->kernels)
    if (one->name == name) return one;
  auto* kernel = new Kernel;
  kernel->module = module;
  kernel->name = name;
  kernel->host = kernel;
  module->kernels.push_back(kernel);
  registered().handles[kernel] = kernel;
  return kernel;
}

Variable* variable_of(Module* module, const char* name) {
  Hold hold(registered().mutex);
  for (auto* one : module->variables)
    if (one->name == name) return one;
  auto* variable = new Variable;
  variable->module = module;
  variable->name = name;
  module->variables.push_back(variable);
  return variable;
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT void** __cudaRegisterFatBinary(void* image) {
  Hold hold(registered().mutex);
  reserve_window();
  const auto* wrapper = static_cast<const Wrapper*>(image);
  auto* module = new Module;
  if (wrapper->magic == WRAPPER_MAGIC) {
    if (wrapper->version == 2 && wrapper->linked != nullptr)
      for (const void** one = wrapper->linked; *one != nullptr; one++) module->images.push_back(*one);
    // Of linked files, this is the linked machine code.
    if (module->images.empty()) module->images.push_back(wrapper->image);
  } else {
    complain("expected a fatbin of CUDA 12 or 13 in the program, found one of an unknown format");
  }
  registered().modules.push_back(module);
  return reinterpret_cast<void**>(module);
}

CUDART_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

CUDART_EXPORT void __cudaUnregisterFatBinary(void**) { finish_program(); }

CUDART_EXPORT char __cudaInitModule(void** handle) {
  Hold hold(registered().mutex);
  return load(reinterpret_cast<Module*>(handle)) == SUCCESS ? 1 : 0;
}

CUDART_EXPORT void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*,
                                          void*, void*, int*) {
  Hold hold(registered().mutex);
  auto* module = reinterpret_cast<Module*>(handle);
  auto* kernel = new Kernel;
  kernel->module = module;
  kernel->name = name;
  kernel->host = host;
  module->kernels.push_back(kernel);
  registered().kernels[host] = kernel;
  registered().handles[kernel] = kernel;
}

namespace {

Variable* add_variable(void** handle, const void* symbol, const char* name, size_t bytes) {
  Hold hold(registered().mutex);
  auto* module = reinterpret_cast<Module*>(handle);
  auto* variable = new Variable;
  variable->module = module;
  variable->name = name;
  variable->bytes = bytes;
  module->variables.push_back(variable);
  registered().variables[symbol] = variable;
  return variable;
}

}  // namespace

CUDART_EXPORT void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int, int) {
  add_variable(handle, host, name, bytes);
}

CUDART_EXPORT void __cudaRegisterHostVar(void** handle, const char* name, char* host, size_t bytes) {
  add_variable(handle, host, name, bytes);
}

CUDART_EXPORT void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, size_t bytes,
                                            int, int) {
  auto* variable = add_variable(handle, pointer, name, bytes);
  variable->managed = true;
  variable->pointer = pointer;
}

CUDART_EXPORT Error __cudaGetKernel(Kernel** kernel, const void* function) {
  *kernel = find_kernel(function);
  return result(*kernel == nullptr ? INVALID_DEVICE_FUNCTION : SUCCESS);
}

CUDART_EXPORT Error cudaGetKernel(Kernel** kernel, const void* function) { return __cudaGetKernel(kernel, function); }

CUDART_EXPORT Error cudaGetFuncBySymbol(Kernel** function, const void* symbol) {
  return __cudaGetKernel(function, symbol);
}

CUDART_EXPORT Error cudaFuncGetName(const char** name, const void* function) {
  const Kernel* kernel = find_kernel(function);
  if (name == nullptr || kernel == nullptr) return result(name == nullptr ? INVALID_VALUE : INVALID_DEVICE_FUNCTION);
  *name = kernel->name.c_str();
  return SUCCESS;
}

CUDART_EXPORT Error cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return result(INVALID_DEVICE_FUNCTION);
  if (const Error error = load(kernel)) return result(error);
  if (index >= kernel->parameters.size()) return result(INVALID_VALUE);
  *offset = kernel->parameters[index].offset;
  if (bytes != nullptr) *bytes = kernel->parameters[index].bytes;
  return SUCCESS;
}

CUDART_EXPORT Error cudaGetSymbolAddress(void** address, const void* symbol) {
  uint64_t found = 0;
  const Error error = symbol_address(symbol, 0, 0, &found);
  if (error == SUCCESS) *address = reinterpret_cast<void*>(found);
  return result(error);
}

CUDART_EXPORT Error cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  Variable* variable = find_variable(symbol);
  if (variable == nullptr) return result(INVALID_SYMBOL);
  const Error error = load(variable);
  if (error == SUCCESS) *bytes = variable->bytes;
  return result(error);
}
