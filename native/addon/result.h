// A finished job as JavaScript sees it.
#pragma once

#include <napi.h>

#include "pool.h"

namespace mmptx {

// An array: [id, outcome, milliseconds, status, native status, refusal, offset, info log, error log, cubin or undefined].
// An array, because named properties would cost as much as the rest of a result. The cubin becomes an external buffer and
// leaves `finished`.
napi_value toJavaScript(Napi::Env env, Finished &finished);

}  // namespace mmptx
