// program: tags=cooperative-groups,cooperative-launch,occupancy
// A cooperative launch: all blocks meet at grid.sync() between the rounds of a stencil and of a reduction.

#include "../check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rounds(int* a, int* b, int count, int times, unsigned long long* sum) {
  cg::grid_group grid = cg::this_grid();
  for (int r = 0; r < times; r++) {
    for (unsigned long long i = grid.thread_rank(); i < count; i += grid.size())
      b[i] = a[(i + count - 1) % count] + a[i] + a[(i + 1) % count];
    grid.sync();
    int* t = a;
    a = b, b = t;
  }
  unsigned long long mine = 0;
  for (unsigned long long i = grid.thread_rank(); i < count; i += grid.size()) mine += a[i];
  atomicAdd(sum, mine);
  grid.sync();
  if (grid.thread_rank() == 0) *sum *= 2;
}

int main() {
  int count = 700, times = 5, supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  expect(supported == 1, "a device with cooperative launches");
  Random random(83);
  std::vector<int> a(count);
  for (int& value : a) value = random.below(100);
  DeviceArray<int> da(a), db(count);
  DeviceArray<unsigned long long> sum(1);
  int *pa = da, *pb = db, blocks = 0;
  unsigned long long* ps = sum;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rounds, 128, 0));
  expect(blocks > 0, "a block that fits");
  void* args[] = {&pa, &pb, &count, &times, &ps};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds), dim3(4), dim3(128), args, 0, nullptr));
  CHECK_KERNEL();
  for (int r = 0; r < times; r++) {
    const auto old = a;
    for (int i = 0; i < count; i++) a[i] = old[(i + count - 1) % count] + old[i] + old[(i + 1) % count];
  }
  unsigned long long want = 0;
  for (int value : a) want += value;
  same("values", (times % 2 ? db : da).host(), a);
  same("sum", sum.host()[0], want * 2);
  return finish();
}
