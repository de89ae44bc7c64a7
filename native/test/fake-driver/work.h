// The work of streams: it is queued or captured, runs on a thread of the library, and can be waited for.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "call.h"

namespace fake {

// Queues it, or adds it to the stream's capture. Returns the code that the call returns.
int submit(Stream &stream, Work work);

// Waits without the lock until the stream has done all of its work, or is broken.
int waitFor(Call &call, const Stream &stream);

// The queued or running work that uses the memory; empty if no work uses it.
std::string userOf(const Allocation &allocation, const Stream *otherThan = nullptr);
std::string userOf(const Function &function);

// Calls that may wait for the device end every capture on this thread that forbids them.
int refuseWhileCapturing(Call &call);

// Ends a capture with an error, and reports it.
int invalidate(Call &call, Capture &capture);

}  // namespace fake
