// The calls of the program that lead to one of the runtime's functions, for findings of the emulator.
#pragma once
#include "connection.h"

namespace cudart {

/** Tells the emulator that the function that the program has called returns an error, if it wants to know. */
void report_error(Error error);

/**
 * Adds the calls of the program that lead here, the innermost first: for each, a number of 64 bits, its address in the file
 * that it is in, one of 32 bits, the length of the file's path, and the path. Adds none if the emulator has no use for them.
 */
void add_calls(Message& message);

}  // namespace cudart
