// A finished job as JavaScript sees it.
#pragma once

#include <napi.h>

#include "pool.h"

namespace mmptx {

// An array: [id, outcome, milliseconds, status, native status, refusal, offset, info log, error log, cubin or
// undefined]. Named properties would cost as much as everything else about a result. The cubin becomes an external
// buffer and is moved out of `finished`.
napi_value toJavaScript(Napi::Env env, Finished &finished);

}  // namespace mmptx
