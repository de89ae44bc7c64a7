// The contents of a module's image: kernels with their parameters, and variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fake {

struct Parameter {
  uint64_t offset;
  uint64_t bytes;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint64_t parameterBytes = 0;
  int sharedBytes = 0;
  int constantBytes = 0;
  int registers = 0;
  int maxThreads = 1024;
};

struct Variable {
  std::string name;
  uint64_t bytes;
};

struct Image {
  bool ptx = false;
  // The architecture of a cubin: 90 for sm_90.
  int arch = 0;
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;
};

// False if it is not an image. There is no length: as with NVIDIA's driver, the image itself says where it ends.
bool readImage(const void *image, Image &into);

}  // namespace fake
