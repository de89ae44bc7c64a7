// Memory that the program and its kernels share: managed, pinned and registered memory. The program's copy has the same
// address as the device's, in a window of its address space. A launch moves the bytes to the device and protects the
// program's copy; synchronization, or an access by the program, moves them back.
#pragma once
#include "connection.h"

namespace cudart {

enum class Sharing { MANAGED, PINNED, VARIABLE };

/** Reserves the addresses of device memory, so that nothing else is placed there. */
void reserve_window();

/** Whether an address is one of device memory, which includes managed and pinned memory. */
bool in_window(const void* pointer);

/** Allocates memory for the program and the device. */
Error allocate_shared(size_t bytes, Sharing sharing, void** pointer);
/** Frees it; INVALID_VALUE if this is not where such memory begins. */
Error free_shared(void* pointer, Sharing sharing);
/** Gives the program access to a managed variable, whose initial value is on the device. */
Error mirror_variable(uint64_t address, size_t bytes);

/** What is known about shared memory. */
struct SharedFacts {
  Sharing sharing;
  uint64_t address;
  size_t bytes;
  /** Whether the program's copy is the current one. */
  bool at_host;
};

/** Whether an address is in shared memory. */
bool find_shared(const void* pointer, SharedFacts* facts);

/** Kernels use this memory from now on. */
void map_pinned(const void* pointer);

/** Moves shared memory to the device. Pointers among a kernel's parameters tell which pinned memory it uses. */
Error before_launch(const uint8_t* parameters, size_t bytes);

/** Moves shared memory back to the program; a large amount only when the program accesses it. */
Error after_synchronization();

/** Forgets the hints that the program has given about memory that it frees. */
void forget_hints(uint64_t address, size_t bytes);

/** The device address of memory that the program has registered. */
Error register_host(void* pointer, size_t bytes);
Error unregister_host(void* pointer);
Error registered_address(const void* pointer, uint64_t* address);

/** After a reset of the device: all shared memory is gone. */
void forget_shared();

/** Waits for the last work of the program, so that its errors are reported. */
void finish_program();

}  // namespace cudart
