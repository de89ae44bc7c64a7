// Attributes of streams. They are hints to hardware that the emulator does not have, so they are checked and kept.
#include <string.h>

#include "device.h"
#include "errors.h"
#include "objects.h"

namespace cudart {

Error check_attribute(int id, const AttributeValue& value) {
  if (id != POLICY_WINDOW) return SUCCESS;
  const auto& window = value.window;
  const bool fits = window.bytes <= static_cast<size_t>(attribute(POLICY_WINDOW_BYTES));
  return fits && window.hit_ratio >= 0 && window.hit_ratio <= 1 ? SUCCESS : INVALID_VALUE;
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaStreamSetAttribute(Stream* handle, int id, const AttributeValue* value) {
  if (value == nullptr) return result(INVALID_VALUE);
  if (const Error error = check_attribute(id, *value)) return result(error);
  Stream* stream = stream_of(handle);
  if (id == PRIORITY) stream->priority = value->number;
  stream->attributes[id] = *value;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamSetAttribute)
CUDART_EXPORT Error cudaStreamGetAttribute(Stream* handle, int id, AttributeValue* value) {
  if (value == nullptr) return result(INVALID_VALUE);
  const Stream* stream = stream_of(handle);
  const auto found = stream->attributes.find(id);
  memset(value, 0, sizeof *value);
  if (found != stream->attributes.end()) *value = found->second;
  if (id == PRIORITY) value->number = stream->priority;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamGetAttribute)
CUDART_EXPORT Error cudaStreamCopyAttributes(Stream* target, Stream* source) {
  stream_of(target)->attributes = stream_of(source)->attributes;
  stream_of(target)->priority = stream_of(source)->priority;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamCopyAttributes)
