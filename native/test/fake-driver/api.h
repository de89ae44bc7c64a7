// What the library shows of itself. Names and signatures are those of the CUDA driver API; handles travel as numbers.
#pragma once

#define FAKE_API extern "C" __attribute__((visibility("default")))
