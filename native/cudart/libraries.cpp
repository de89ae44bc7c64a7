// Libraries: images with kernels and variables that a program loads itself.
#include <stdio.h>

#include "errors.h"
#include "modules.h"

using namespace cudart;

extern "C" Error cudaFuncSetAttribute(const void* function, int number, int value);

CUDART_EXPORT Error cudaLibraryLoadData(Module** library, const void* code, void*, void**, unsigned, void*, void**,
                                        unsigned) {
  if (library == nullptr || code == nullptr) return result(INVALID_VALUE);
  *library = module_of(code);
  return result(device_error());
}
CUDART_EXPORT Error cudaLibraryUnload(Module*) { return SUCCESS; }
CUDART_EXPORT Error cudaLibraryGetKernel(Kernel** kernel, Module* library, const char* name) {
  if (kernel == nullptr || library == nullptr || name == nullptr) return result(INVALID_VALUE);
  *kernel = kernel_of(library, name);
  return result(load(*kernel));
}
CUDART_EXPORT Error cudaLibraryLoadFromFile(Module** library, const char* file, void*, void**, unsigned, void*, void**,
                                            unsigned) {
  if (library == nullptr || file == nullptr) return result(INVALID_VALUE);
  FILE* opened = fopen(file, "rb");
  if (opened == nullptr) return result(FILE_NOT_FOUND);
  // It ends with a zero, because PTX is text, and is kept, because it is only read when something in it is used.
  auto* image = new std::string;
  char part[1 << 14];
  for (size_t bytes = 0; (bytes = fread(part, 1, sizeof part, opened)) > 0;) image->append(part, bytes);
  fclose(opened);
  *library = module_of(image->c_str());
  return result(device_error());
}
CUDART_EXPORT Error cudaLibraryGetGlobal(void** address, size_t* bytes, Module* library, const char* name) {
  if (library == nullptr || name == nullptr) return result(INVALID_VALUE);
  Variable* variable = variable_of(library, name);
  const Error error = load(variable);
  if (error != SUCCESS) return result(error);
  if (address != nullptr) *address = reinterpret_cast<void*>(variable->address);
  if (bytes != nullptr) *bytes = variable->bytes;
  return SUCCESS;
}
CUDART_EXPORT Error cudaKernelSetAttributeForDevice(Kernel* kernel, int attribute, int value, int) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}
