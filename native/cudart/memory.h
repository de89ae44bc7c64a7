// Memory of the device: allocations and copies.
#pragma once
#include "connection.h"

namespace cudart {

Error allocate_device(size_t bytes, uint32_t alignment, uint64_t* address);
Error free_device(uint64_t address);
/** Memory that copies and fills may use without asking the emulator whether it is there. */
void remember_memory(uint64_t address, uint64_t bytes);
void forget_allocations();

/** Copies rows of bytes between the device and the program, and waits. */
Error transfer(const CopyMessage& copy);
/** Copies rows of bytes; what is in the program has to stay as it is until the next synchronization. */
Error post_transfer(const CopyMessage& copy);

/** Runs a copy whose sides are not known yet. Pageable memory is read before the function returns. */
Error run_copy(CopyMessage copy);
/** Fills memory of the device, or shared memory that is in the program. */
Error run_fill(const FillMessage& fill);

/** The copy that a program asks for. */
Error describe_copy(const Memcpy3D* request, CopyMessage* copy);

/** The sides of a copy, as the program states and as its addresses are. */
Error check_kind(CopyMessage& copy, MemcpyKind kind);

}  // namespace cudart
