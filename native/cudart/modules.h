// What the program's compiled code registers: fatbins with their kernels and variables. A fatbin is loaded when something
// in it is first used.
#pragma once
#include <string>
#include <vector>

#include "connection.h"

namespace cudart {

struct Module;

struct Parameter {
  uint32_t offset, bytes;
};

/** A kernel, which programs also know as a `cudaKernel_t` and as a `cudaFunction_t`. */
struct Kernel {
  Module* module;
  std::string name;
  /** The function in the program that stands for it. */
  const void* host;
  bool loaded = false;
  Error load_error = SUCCESS;
  KernelAnswer facts{};
  std::vector<Parameter> parameters;
  /** As `cudaFuncSetAttribute` has set it; -1 before. */
  int max_dynamic_bytes = -1;
  int carveout = -1;
  int non_portable_cluster = 0;
  uint32_t cluster[3] = {0, 0, 0};
};

struct Variable {
  Module* module;
  std::string name;
  size_t bytes;
  bool managed = false;
  /** Of a managed variable: the program's pointer to it. */
  void** pointer = nullptr;
  bool loaded = false;
  uint64_t address = 0;
};

struct Module {
  std::vector<const void*> images;
  bool loaded = false;
  Error load_error = SUCCESS;
  uint32_t id = 0;
  std::vector<Kernel*> kernels;
  std::vector<Variable*> variables;
};

/** The kernel for a function of the program or a handle; null if there is none. */
Kernel* find_kernel(const void* function);

/** Loads a kernel. */
Error load(Kernel* kernel);

/** The variable of a symbol; null if there is none. */
Variable* find_variable(const void* symbol);

/** Loads a variable. */
Error load(Variable* variable);

/** A variable or managed variable by its address on the device; null if there is none. */
Error symbol_address(const void* symbol, size_t offset, size_t bytes, uint64_t* address);

/** Loads the modules that have managed variables, so that the program can access them. */
void load_managed();

/** Called after a reset of the device: everything is loaded again when it is used. */
void forget_loaded();

/** A module of an image that the program has loaded itself. */
Module* module_of(const void* image);
Kernel* kernel_of(Module* module, const char* name);
Variable* variable_of(Module* module, const char* name);

}  // namespace cudart
