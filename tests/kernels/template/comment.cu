// A template instantiated for three types: each is a kernel of its own in the PTX, with a mangled name and the same site.
// The site works in f32; what is stored is converted on the way in and out.

template <class T>
__global__ void transform(const T* from, T* to, float scale, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float value = static_cast<float>(from[i]);
  /* PTX_INJECT transform
    mod f32 value
    in  f32 scale
  */
  to[i] = static_cast<T>(value);
}

template __global__ void transform<float>(const float*, float*, float, unsigned);
template __global__ void transform<short>(const short*, short*, float, unsigned);
template __global__ void transform<unsigned char>(const unsigned char*, unsigned char*, float, unsigned);
