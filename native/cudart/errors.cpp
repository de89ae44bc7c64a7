#include "errors.h"

#include "calls.h"
#include "connection.h"

namespace cudart {
namespace {

struct ErrorText {
  int error;
  const char* name;
  const char* text;
};

constexpr ErrorText ERRORS[] = {
#include "error_table.inc"
};

const ErrorText* error_text(int error) {
  for (const auto& one : ERRORS)
    if (one.error == error) return &one;
  return nullptr;
}

thread_local Error last_error = SUCCESS;

}  // namespace

Error result(Error error) {
  // "Not ready" is an answer, not an error.
  if (error != SUCCESS && error != NOT_READY) {
    last_error = error;
    report_error(error);
  }
  return error;
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaGetLastError() {
  const Error error = last_error;
  last_error = SUCCESS;
  if (const Error failed = device_error()) return failed;
  return error;
}

CUDART_EXPORT Error cudaPeekAtLastError() {
  if (const Error failed = device_error()) return failed;
  return last_error;
}

CUDART_EXPORT const char* cudaGetErrorName(int error) {
  const auto* found = error_text(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}

CUDART_EXPORT const char* cudaGetErrorString(int error) {
  const auto* found = error_text(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}
