#include "images.h"

#include <unordered_map>

#include "arrays.h"
#include "errors.h"
#include "mutex.h"

namespace cudart {
namespace {

using Handle = unsigned long long;

struct Object {
  bool is_surface;
  ResourceDescription resource;
  TextureDescription texture;
};

struct Registry {
  Mutex mutex;
  std::unordered_map<Handle, Object> objects;
};

/** Never destroyed: exit handlers of the program still call the library. */
Registry& registry() {
  static Registry* made = new Registry;
  return *made;
}

constexpr int FLOAT_KIND = 2;
constexpr int LINEAR_FILTER = 1;
constexpr int NORMALIZED_FLOAT = 1;
constexpr uint32_t CLAMP = 1, BORDER = 3;
/** The most elements of a texture in linear memory, as the device's attributes state it. */
constexpr size_t MOST_LINEAR = size_t{1} << 27;

void describe_format(const ChannelDescription& format, ImageMessage* image) {
  image->channels = static_cast<uint32_t>(element_bytes(format) * 8) / static_cast<uint32_t>(format.x);
  image->bits = static_cast<uint32_t>(format.x);
  image->channel_kind = static_cast<uint32_t>(format.kind);
}

/** Surfaces see the faces of cube maps as layers. */
Error describe_array(const Array* array, ImageMessage* image) {
  if (!is_array(array)) return INVALID_HANDLE;
  const auto& [width, height, depth] = array->extent;
  const bool cube = (array->flags & CUBEMAP) != 0;
  const bool layered = (array->flags & LAYERED) != 0 || (cube && image->is_surface != 0);
  image->dimensions = depth != 0 && !layered && !cube ? 3 : height != 0 ? 2 : 1;
  image->flags = layered ? uint32_t{IMAGE_LAYERED} : 0;
  if (cube && image->is_surface == 0) image->flags |= IMAGE_CUBE;
  image->width = static_cast<uint32_t>(width);
  image->height = static_cast<uint32_t>(array->rows());
  image->depth = static_cast<uint32_t>(array->slices());
  image->pitch = array->pitch();
  image->slice = array->pitch() * array->rows();
  image->address = array->address;
  describe_format(array->format, image);
  return SUCCESS;
}

/** Elements of the device's memory, in rows. */
Error describe_rows(void* pointer, const ChannelDescription& format, size_t width, size_t height, size_t pitch,
                    ImageMessage* image) {
  const size_t bytes = element_bytes(format);
  if (bytes == 0) return INVALID_CHANNEL_DESCRIPTOR;
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (address == 0 || address % bytes != 0 || pitch % bytes != 0) return INVALID_VALUE;
  if (width == 0 || width > MOST_LINEAR || height == 0 || height > 65536 || pitch / bytes < width) return INVALID_VALUE;
  image->width = static_cast<uint32_t>(width);
  image->height = static_cast<uint32_t>(height);
  image->depth = 1;
  image->pitch = pitch;
  image->address = address;
  describe_format(format, image);
  return SUCCESS;
}

Error describe_resource(const ResourceDescription& resource, ImageMessage* image) {
  if (resource.flags != 0) return INVALID_VALUE;
  switch (resource.type) {
    case ARRAY_RESOURCE:
      return describe_array(resource.array, image);
    case LINEAR_RESOURCE: {
      const auto& [pointer, format, bytes] = resource.linear;
      const size_t size = element_bytes(format);
      image->dimensions = 1;
      image->flags = IMAGE_LINEAR;
      return describe_rows(pointer, format, size == 0 ? 0 : bytes / size, 1, bytes, image);
    }
    case PITCHED_RESOURCE: {
      const auto& [pointer, format, width, height, pitch] = resource.pitched;
      image->dimensions = 2;
      return describe_rows(pointer, format, width, height, pitch, image);
    }
    case MIPMAPPED_RESOURCE:
      complain("expected an array or memory to read as a texture, found a mipmapped array, which the emulator does not have");
      return NOT_SUPPORTED;
  }
  return INVALID_VALUE;
}

Error describe_texture(const TextureDescription& texture, ImageMessage* image) {
  if (texture.srgb != 0 || texture.max_anisotropy > 1) {
    complain("expected a texture without sRGB and anisotropic filtering, which the emulator does not have");
    return NOT_SUPPORTED;
  }
  if (texture.filter_mode < 0 || texture.filter_mode > LINEAR_FILTER) return INVALID_VALUE;
  if (texture.read_mode < 0 || texture.read_mode > NORMALIZED_FLOAT) return INVALID_VALUE;
  const bool is_float = image->channel_kind == FLOAT_KIND;
  // Integers of 32 bits are never promoted.
  const bool reads_normalized = texture.read_mode == NORMALIZED_FLOAT && !is_float && image->bits < 32;
  if (reads_normalized) image->flags |= IMAGE_READS_NORMALIZED;
  for (size_t i = 0; i < 3; i++) {
    const auto mode = static_cast<uint32_t>(texture.address_modes[i]);
    if (mode > BORDER) return INVALID_VALUE;
    // Wrapping and mirroring need normalized coordinates.
    image->modes[i] = texture.normalized == 0 && mode != BORDER ? CLAMP : mode;
  }
  for (size_t i = 0; i < 4; i++) image->border[i] = texture.border[i];
  // Linear memory is read by the number of an element, whatever the description says.
  if ((image->flags & IMAGE_LINEAR) != 0) return SUCCESS;
  if (texture.filter_mode == LINEAR_FILTER) {
    if (!is_float && !reads_normalized) return INVALID_VALUE;
    image->flags |= IMAGE_FILTERED;
  }
  if (texture.normalized != 0) image->flags |= IMAGE_NORMALIZED;
  if ((image->flags & IMAGE_CUBE) != 0) {
    if (texture.seamless_cube_map != 0 && texture.filter_mode == LINEAR_FILTER) {
      complain("expected a cube map whose faces are filtered one by one, found a seamless one, which the emulator does not have");
      return NOT_SUPPORTED;
    }
    // A direction has a place on a face, and what is beyond the edge of a face is its nearest element.
    image->flags |= IMAGE_NORMALIZED;
    for (auto& mode : image->modes) mode = CLAMP;
  }
  return SUCCESS;
}

Error create(Handle* handle, const ImageMessage& image, const Object& object) {
  Message message(Operation::CREATE_IMAGE);
  message.add(image);
  Answer answer;
  if (const Error error = request(message, &answer)) return error;
  uint64_t made = 0;
  memcpy(&made, answer.data(), sizeof made);
  Registry& all = registry();
  Hold hold(all.mutex);
  all.objects[made] = object;
  *handle = made;
  return SUCCESS;
}

Error destroy(Handle handle, bool is_surface) {
  if (handle == 0) return device_error();
  Registry& all = registry();
  Hold hold(all.mutex);
  const auto found = all.objects.find(handle);
  if (found == all.objects.end() || found->second.is_surface != is_surface) return INVALID_VALUE;
  all.objects.erase(found);
  Message message(Operation::DESTROY_IMAGE);
  message.add(static_cast<uint64_t>(handle));
  return post(message);
}

/** Copies a part of what an object was created from. */
template <typename Part>
Error describe(Handle handle, bool is_surface, Part Object::* part, Part* target) {
  if (target == nullptr) return INVALID_VALUE;
  Registry& all = registry();
  Hold hold(all.mutex);
  const auto found = all.objects.find(handle);
  if (found == all.objects.end() || found->second.is_surface != is_surface) return INVALID_VALUE;
  *target = found->second.*part;
  return SUCCESS;
}

}  // namespace

void forget_images() {
  Registry& all = registry();
  Hold hold(all.mutex);
  all.objects.clear();
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaCreateTextureObject(Handle* handle, const ResourceDescription* resource,
                                            const TextureDescription* texture, const void* view) {
  if (handle == nullptr || resource == nullptr || texture == nullptr) return result(INVALID_VALUE);
  if (view != nullptr) {
    complain("expected a texture without a resource view, which the emulator does not have");
    return result(NOT_SUPPORTED);
  }
  ImageMessage image{};
  if (const Error error = describe_resource(*resource, &image)) return result(error);
  if (const Error error = describe_texture(*texture, &image)) return result(error);
  return result(create(handle, image, {false, *resource, *texture}));
}
CUDART_EXPORT Error cudaDestroyTextureObject(Handle handle) { return result(destroy(handle, false)); }
CUDART_EXPORT Error cudaGetTextureObjectResourceDesc(ResourceDescription* resource, Handle handle) {
  return result(describe(handle, false, &Object::resource, resource));
}
CUDART_EXPORT Error cudaGetTextureObjectTextureDesc(TextureDescription* texture, Handle handle) {
  return result(describe(handle, false, &Object::texture, texture));
}
CUDART_EXPORT Error cudaCreateSurfaceObject(Handle* handle, const ResourceDescription* resource) {
  if (handle == nullptr || resource == nullptr || resource->type != ARRAY_RESOURCE) return result(INVALID_VALUE);
  ImageMessage image{};
  image.is_surface = 1;
  if (const Error error = describe_resource(*resource, &image)) return result(error);
  if ((resource->array->flags & SURFACE_LOAD_STORE) == 0) {
    complain("expected an array that was allocated with cudaArraySurfaceLoadStore for a surface, found one without");
    return result(INVALID_VALUE);
  }
  return result(create(handle, image, {true, *resource, {}}));
}
CUDART_EXPORT Error cudaDestroySurfaceObject(Handle handle) { return result(destroy(handle, true)); }
CUDART_EXPORT Error cudaGetSurfaceObjectResourceDesc(ResourceDescription* resource, Handle handle) {
  return result(describe(handle, true, &Object::resource, resource));
}
