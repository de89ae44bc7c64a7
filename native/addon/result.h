// A finished job as JavaScript sees it.
#pragma once

#include <napi.h>

#include "pool.h"

namespace mmptx {

// { id, outcome, status, nativeStatus, milliseconds, refusal, offset, cubin?, infoLog, errorLog }. The cubin becomes an
// external buffer and leaves `finished`.
Napi::Object toJavaScript(Napi::Env env, Finished &finished);

}  // namespace mmptx
