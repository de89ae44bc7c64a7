// nvcc -arch=sm_80
// Every state space: local arrays with indices, constant tables of pointers, vectors, generic addresses, structures.
struct Item { char tag; short small; double wide; float3 three; };
__device__ int counter = 41;
__device__ float rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
__constant__ int numbers[5] = {10, 20, 30, 40, 50};
__device__ int* pointer = &counter;
__constant__ const float* ends[2] = {&rows[0][2], &rows[1][0]};
__device__ const char* words[2] = {"first", "second"};
__device__ __noinline__ void fill(int* p, int n, int start) { for (int i = 0; i < n; i++) p[i] = start + i * i; }
extern "C" __global__ void spaces(int* out, const __grid_constant__ Item item, int n) {
  __shared__ int shared[32];
  int local[16];
  const int i = threadIdx.x;
  fill(local, 16, i);
  fill(&shared[i], 1, 100 * i);
  int* either = i & 1 ? &shared[i] : &local[i & 15];
  const Item* generic = &item;
  out[8 * i] = *either;
  out[8 * i + 1] = numbers[(i + n) % 5];
  out[8 * i + 2] = (int)*ends[i & 1] * 100 + words[i & 1][2 + n];
  out[8 * i + 3] = *pointer + (i == 0 ? 0 : (int)rows[i & 1][i % 3]);
  out[8 * i + 4] = generic->tag + generic->small * 2 + (int)generic->wide;
  out[8 * i + 5] = (int)(item.three.x + item.three.y * item.three.z);
  out[8 * i + 6] = (__isShared(either) ? 1 : 0) + (__isLocal(either) ? 2 : 0) + (__isGlobal(out) ? 4 : 0);
  out[8 * i + 7] = local[(i * 7) & 15];
}
extern "C" __global__ void vectors(const int4* a, const double2* b, const uchar4* c, const short2* d, int4* out) {
  const int i = threadIdx.x;
  const int4 v = a[i];
  const double2 w = b[i];
  out[i] = make_int4(v.w + c[i].x, v.z - c[i].w, (int)(w.x + w.y), v.x * d[i].x + v.y * d[i].y);
}
