// program: tags=stencils,integers
// Conway's game of life on a torus: a byte a cell, and 32 cells in a word with bitwise adders.

#include "../check.h"

__global__ void bytes(const uint8_t* in, uint8_t* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
  out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}

__global__ void words(const unsigned* in, unsigned* out, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  unsigned ones = 0, twos = 0, fours = 0;
  auto add = [&](unsigned cells) {
    const unsigned carry = ones & cells;
    ones ^= cells;
    const unsigned carry2 = twos & carry;
    twos ^= carry;
    fours |= carry2;
  };
  for (int dy = -1; dy <= 1; dy++) {
    const unsigned* row = in + (y + dy + height) % height * width;
    const unsigned left = row[(x + width - 1) % width], middle = row[x], right = row[(x + 1) % width];
    add(__funnelshift_l(left, middle, 1));
    add(__funnelshift_r(middle, right, 1));
    if (dy != 0) add(middle);
  }
  out[y * width + x] = twos & ~fours & (ones | in[y * width + x]);
}

int main() {
  const int width = 96, height = 40, steps = 6;
  Random random(61);
  std::vector<uint8_t> cells(width * height);
  for (auto& cell : cells) cell = random.below(3) == 0;
  auto packed = [&](const std::vector<uint8_t>& from) {
    std::vector<unsigned> result(width * height / 32);
    for (int i = 0; i < width * height; i++) result[i / 32] |= unsigned(from[i]) << (i % 32);
    return result;
  };
  DeviceArray<uint8_t> a(cells), b(width * height);
  DeviceArray<unsigned> c(packed(cells)), d(width * height / 32);
  for (int s = 0; s < steps; s += 2) {
    bytes<<<dim3(blocks_for(width, 64), height), 64>>>(a, b, width, height);
    bytes<<<dim3(blocks_for(width, 64), height), 64>>>(b, a, width, height);
    words<<<height, width / 32>>>(c, d, width / 32, height);
    words<<<height, width / 32>>>(d, c, width / 32, height);
  }
  CHECK_KERNEL();
  for (int s = 0; s < steps; s++) {
    const auto old = cells;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int alive = 0;
        for (int k = 0; k < 9; k++)
          if (k != 4) alive += old[(y + k / 3 - 1 + height) % height * width + (x + k % 3 - 1 + width) % width];
        cells[y * width + x] = alive == 3 || (alive == 2 && old[y * width + x]);
      }
  }
  same("bytes", a.host(), cells);
  same("words", c.host(), packed(cells));
  return finish();
}
