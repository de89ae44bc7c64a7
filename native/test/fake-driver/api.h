// What the library exports. Names and signatures are those of the CUDA driver API; handles are passed as numbers.
#pragma once

#define FAKE_API extern "C" __attribute__((visibility("default")))
