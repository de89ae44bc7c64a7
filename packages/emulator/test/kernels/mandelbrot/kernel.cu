// nvcc -arch=sm_120 -fmad=false
extern "C" __global__ void mandelbrot(unsigned* counts, int width, int height, unsigned limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float real = -2.0f + 3.0f * x / width, imaginary = -1.25f + 2.5f * y / height;
  float a = 0, b = 0;
  unsigned n = 0;
  while (n < limit && a * a + b * b < 4.0f) {
    const float next = a * a - b * b + real;
    b = 2 * a * b + imaginary;
    a = next;
    n++;
  }
  counts[y * width + x] = n;
}
