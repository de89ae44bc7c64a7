// What streams do with their work: queueing and capturing it, doing it on a thread of the library's own, waiting for it.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "call.h"

namespace fake {

// Queues it, or takes it into the stream's capture. The code that the call returns.
int submit(Stream &stream, Work work);

// Until the stream has done all that it has, or is broken. Without the lock meanwhile.
int waitFor(Call &call, const Stream &stream);

// What queued or running work uses the memory; empty: none.
std::string userOf(const Allocation &allocation, const Stream *otherThan = nullptr);
std::string userOf(const Function &function);

// Calls that may wait for the device end every capture that forbids them on this thread.
int refuseWhileCapturing(Call &call);

// Ends a capture with an error, and says so.
int invalidate(Call &call, Capture &capture);

}  // namespace fake
