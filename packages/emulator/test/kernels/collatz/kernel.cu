// nvcc -arch=sm_75
// Loops of very different lengths beside each other, with 64-bit values and an early exit.
extern "C" __global__ void collatz(unsigned* lengths, unsigned long long* peaks, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long value = i + 1, peak = value;
  unsigned steps = 0;
  while (value != 1) {
    if (value % 2 == 0) value /= 2;
    else value = 3 * value + 1;
    if (value > peak) peak = value;
    if (++steps == 200) break;
  }
  lengths[i] = steps;
  peaks[i] = peak;
}
