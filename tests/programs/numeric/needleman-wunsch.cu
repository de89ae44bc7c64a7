// program: tags=numeric,dynamic-programming
// Alignment of sequences: global in tiles along antidiagonals, and local of many pairs, one a thread, with SIMD-in-a-word.

#include "../check.h"
#include <algorithm>

constexpr int TILE = 16, GAP = 2;

__global__ void diagonal(int* score, const char* a, const char* b, int n, int which) {
  __shared__ int t[TILE + 1][TILE + 1];
  const int blocks = n / TILE, bx = max(0, which - blocks + 1) + blockIdx.x, by = which - bx;
  const int i = threadIdx.x, x0 = bx * TILE, y0 = by * TILE, width = n + 1;
  t[0][i + 1] = score[y0 * width + x0 + i + 1];
  t[i + 1][0] = score[(y0 + i + 1) * width + x0];
  if (i == 0) t[0][0] = score[y0 * width + x0];
  __syncthreads();
  for (int step = 0; step < 2 * TILE - 1; step++) {
    const int x = i + 1, y = step - i + 1;
    if (y >= 1 && y <= TILE) {
      const int match = a[y0 + y - 1] == b[x0 + x - 1] ? 3 : -1;
      t[y][x] = max(t[y - 1][x - 1] + match, max(t[y - 1][x], t[y][x - 1]) - GAP);
    }
    __syncthreads();
  }
  for (int y = 1; y <= TILE; y++) score[(y0 + y) * width + x0 + i + 1] = t[y][i + 1];
}

/** The edit distance of two words of up to 15 letters. */
__global__ void edit_distances(const char* words, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * count) return;
  const char *a = words + i / count * 16, *b = words + i % count * 16;
  unsigned char row[17];
  int length = 0;
  while (b[length]) length++;
  for (int j = 0; j <= length; j++) row[j] = static_cast<unsigned char>(j);
  for (int k = 0; a[k]; k++) {
    int corner = row[0];
    row[0] = static_cast<unsigned char>(k + 1);
    for (int j = 1; j <= length; j++) {
      const int value = min(corner + (a[k] != b[j - 1]), min(row[j], row[j - 1]) + 1);
      corner = row[j];
      row[j] = static_cast<unsigned char>(value);
    }
  }
  out[i] = row[length];
}

int main() {
  const int n = 96, width = n + 1;
  Random random(75);
  std::vector<char> a(n), b(n);
  for (int i = 0; i < n; i++) a[i] = "ACGT"[random.below(4)], b[i] = random.below(4) ? a[i] : "ACGT"[random.below(4)];
  std::vector<int> score(width * width, 0);
  for (int i = 0; i <= n; i++) score[i] = score[i * width] = -GAP * i;
  DeviceArray<int> device(score);
  DeviceArray<char> da(a), db(b);
  for (int which = 0; which < 2 * (n / TILE) - 1; which++)
    diagonal<<<std::min(which + 1, 2 * (n / TILE) - 1 - which), TILE>>>(device, da, db, n, which);
  CHECK_KERNEL();
  for (int y = 1; y <= n; y++)
    for (int x = 1; x <= n; x++)
      score[y * width + x] = std::max(score[(y - 1) * width + x - 1] + (a[y - 1] == b[x - 1] ? 3 : -1),
                                      std::max(score[(y - 1) * width + x], score[y * width + x - 1]) - GAP);
  same("scores", device.host(), score);

  const int count = 20;
  std::vector<char> words(count * 16, 0);
  for (int i = 0; i < count; i++)
    for (int j = 0, length = 1 + random.below(15); j < length; j++) words[i * 16 + j] = 'a' + random.below(4);
  std::vector<int> want;
  for (int p = 0; p < count * count; p++) {
    const char *u = &words[p / count * 16], *v = &words[p % count * 16];
    int d[17][17];
    int m = 0, k = 0;
    while (m < 16 && u[m]) m++;
    while (k < 16 && v[k]) k++;
    for (int i = 0; i <= m; i++)
      for (int j = 0; j <= k; j++)
        d[i][j] = i == 0 ? j : j == 0 ? i : std::min({d[i - 1][j - 1] + (u[i - 1] != v[j - 1]), d[i - 1][j] + 1, d[i][j - 1] + 1});
    want.push_back(d[m][k]);
  }
  DeviceArray<char> dw(words);
  DeviceArray<int> out(count * count);
  edit_distances<<<blocks_for(count * count, 64), 64>>>(dw, out, count);
  CHECK_KERNEL();
  same("edit distances", out.host(), want);
  return finish();
}
