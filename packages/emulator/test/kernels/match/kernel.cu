// nvcc -arch=sm_90
// Lanes with equal keys find each other; lanes of two branches synchronise apart.
extern "C" __global__ void match(const unsigned* keys, unsigned* groups, int* all, unsigned long long* long_groups) {
  const int i = threadIdx.x;
  groups[i] = __match_any_sync(0xffffffff, keys[i]);
  long_groups[i] = __match_any_sync(0xffffffff, (unsigned long long)keys[i] << 33);
  int same = 0;
  const unsigned mask = __match_all_sync(0xffffffff, keys[i & ~31] + keys[i] * 0, &same);
  all[i] = same + (mask == 0xffffffff ? 2 : 0) + (__any_sync(0xffffffff, keys[i] == 3) << 2) + (__all_sync(0xffffffff, keys[i] < 8) << 3);
}
extern "C" __global__ void branches(const int* in, int* out) {
  const int i = threadIdx.x;
  int value = in[i];
  if (i % 3 == 0) {
    for (int k = 0; k < i % 5; k++) value += k;
    __syncwarp(0x49249249);
    value += __shfl_sync(0x49249249, value, 30);
  } else {
    __syncwarp(0xb6db6db6);
    value -= __shfl_up_sync(0xb6db6db6, value, 1) * (i % 3 == 2);
  }
  out[i] = value;
}
