// program: tags=solvers,shared-memory
// Tridiagonal systems: Thomas's algorithm with one thread a system, and parallel cyclic reduction with one block a system.

#include "../check.h"

__global__ void thomas(const double* a, const double* b, const double* c, const double* d, double* x, double* scratch, int n, int systems) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  a += s * n, b += s * n, c += s * n, d += s * n, x += s * n, scratch += s * n;
  double divisor = b[0];
  x[0] = d[0] / divisor;
  for (int i = 1; i < n; i++) {
    scratch[i] = c[i - 1] / divisor;
    divisor = b[i] - a[i] * scratch[i];
    x[i] = (d[i] - a[i] * x[i - 1]) / divisor;
  }
  for (int i = n - 2; i >= 0; i--) x[i] -= scratch[i + 1] * x[i + 1];
}

__global__ void cyclic_reduction(const double* a, const double* b, const double* c, const double* d, double* x, int n) {
  extern __shared__ double shared[];
  double *sa = shared, *sb = sa + n, *sc = sb + n, *sd = sc + n;
  const int i = threadIdx.x, at = blockIdx.x * n + i;
  sa[i] = a[at], sb[i] = b[at], sc[i] = c[at], sd[i] = d[at];
  __syncthreads();
  for (int stride = 1; stride < n; stride *= 2) {
    double na = 0, nb = sb[i], nc = 0, nd = sd[i];
    if (i - stride >= 0) {
      const double k = sa[i] / sb[i - stride];
      na = -sa[i - stride] * k, nb -= sc[i - stride] * k, nd -= sd[i - stride] * k;
    }
    if (i + stride < n) {
      const double k = sc[i] / sb[i + stride];
      nc = -sc[i + stride] * k, nb -= sa[i + stride] * k, nd -= sd[i + stride] * k;
    }
    __syncthreads();
    sa[i] = na, sb[i] = nb, sc[i] = nc, sd[i] = nd;
    __syncthreads();
  }
  x[at] = sd[i] / sb[i];
}

int main() {
  const int n = 100, systems = 12;
  Random random(72);
  std::vector<double> a(n * systems), b(n * systems), c(n * systems), d(n * systems), x(n * systems);
  for (int i = 0; i < n * systems; i++) {
    a[i] = i % n == 0 ? 0 : random.uniform(-1, 1);
    c[i] = i % n == n - 1 ? 0 : random.uniform(-1, 1);
    b[i] = 3 + random.uniform();
    x[i] = random.uniform(-1, 1);
  }
  for (int i = 0; i < n * systems; i++)
    d[i] = b[i] * x[i] + (i % n > 0 ? a[i] * x[i - 1] : 0) + (i % n < n - 1 ? c[i] * x[i + 1] : 0);
  DeviceArray<double> da(a), db(b), dc(c), dd(d), first(n * systems), second(n * systems), scratch(n * systems);
  thomas<<<blocks_for(systems, 32), 32>>>(da, db, dc, dd, first, scratch, n, systems);
  cyclic_reduction<<<systems, n, 4 * n * sizeof(double)>>>(da, db, dc, dd, second, n);
  CHECK_KERNEL();
  close("Thomas", first.host(), x, 1e-12);
  close("cyclic reduction", second.host(), x, 1e-12);
  return finish();
}
