// Two kernels that have something to do with each other: one computes an image, the other counts its values.

struct View {
  float left, top;  // of the image, in the plane
  float step;       // from one point to the next
};

/** For each point of the image after how many steps it leaves the circle of radius 2; `most` for those that never do. */
extern "C" __global__ void escape(unsigned* steps, unsigned width, unsigned height, View view, unsigned most) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float real = view.left + column * view.step;
  const float imaginary = view.top - 2 * row * view.step;  // characters are twice as high as wide
  float x = 0, y = 0;
  unsigned step = 0;
  while (step < most && x * x + y * y <= 4) {
    const float next = x * x - y * y + real;
    y = 2 * x * y + imaginary;
    x = next;
    step++;
  }
  steps[row * width + column] = step;
}

/** Adds to `counts[v]` how many of the values are v. */
extern "C" __global__ void histogram(const unsigned* values, unsigned count, unsigned* counts) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) atomicAdd(&counts[values[index]], 1u);
}
