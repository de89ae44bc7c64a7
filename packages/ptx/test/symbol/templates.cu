// Names for the test beside this file: templates of all kinds, and what CUB, Thrust and libcu++ instantiate.
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/unique.h>
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <type_traits>
#include <cooperative_groups.h>
namespace a { namespace b { enum class Color : int { red = 1, blue = -2 }; enum Old { x, y = 5 };
template <class T, int N> struct Arr { T v[N]; __host__ __device__ T& operator[](int i) { return v[i]; } template <class U> __host__ __device__ operator U() const { return U(v[0]); } };
template <Color C, Old O, bool B, char K, unsigned long long U, long L> __global__ void lits(int*) {}
template __global__ void lits<Color::blue, y, true, 'x', 7ull, -3l>(int*);
template <class... T> __global__ void pack(T... t) {}
template __global__ void pack<int, float*, Arr<double, 3>>(int, float*, Arr<double, 3>);
template <class... T> __global__ void packp(T*... t, const T*... u) {}
template __global__ void packp<int, float>(int*, float*, const int*, const float*);
template <template <class, int> class A, class T> __global__ void tt(A<T, 4> a) {}
template __global__ void tt<Arr, short>(Arr<short, 4>);
template <class F> __global__ void fp(F f) {}
template __global__ void fp<int (*)(float, const char*)>(int (*)(float, const char*));
template __global__ void fp<void (*)(int (*)(int))>(void (*)(int (*)(int)));
template __global__ void fp<int (Arr<int,2>::*)(int) const>(int (Arr<int,2>::*)(int) const);
template __global__ void fp<int* const*>(int* const*);
template __global__ void fp<const volatile int*>(const volatile int*);
template __global__ void fp<int (*)[4][5]>(int (*)[4][5]);
template __global__ void fp<int (* const*)(void)>(int (*const*)());
template <class T> __global__ void en(T* p, typename std::enable_if<(sizeof(T) > 4), T>::type x) {}
template __global__ void en<double>(double*, double);
template <class T> __global__ auto de(T* p, decltype(p[0] + 1) x) -> void {}
template __global__ void de<float>(float*, float);
template <class T> __global__ void en2(T* p, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value, int>* = 0) {}
template __global__ void en2<int>(int*, int*);
template <int N> struct I {}; template <int N> __global__ void ar(int (*p)[N], I<N + 1> i, I<(N > 3)> j) {}
template __global__ void ar<5>(int (*p)[5], I<6>, I<1>);
template <int (*F)(int)> __global__ void nt() {}
__host__ __device__ int twice(int x) { return 2*x; }
template __global__ void nt<twice>();
template <class T, T... V> __global__ void seq(T) {} template __global__ void seq<int, 1, 2, 3>(int);
} }
struct S { struct In {}; static __device__ int f(int); };
__global__ void h(__half a, __nv_bfloat16 b, __half2* c, float4 d, dim3 e, S::In i) {}
namespace { struct Loc {}; __global__ void anon(Loc* l) {} template <class T> __global__ void anon2(T t) {} template __global__ void anon2<Loc>(Loc); }
static __global__ void st(int) {}
extern "C" __global__ void plain(int) {}
inline namespace v1 { __global__ void inl(std::nullptr_t, char16_t, wchar_t, unsigned char, signed char, __int128) {} }
template <class F> __global__ void run(F f, int* p) { *p = f(*p); }
struct Op { __device__ int operator()(int x) const { return x; } __device__ bool operator<(const Op&) const { return 1;} __device__ Op& operator+=(int) { return *this; } __device__ explicit operator bool() const { return true; } };
template __global__ void run<Op>(Op, int*);
template <class T> void host(int* p) { int k = 1; run<<<1,1>>>([=] __device__ (int x) { return x + k + (int)sizeof(T); }, p);   }
struct P { float a; int b; };
struct Less { __host__ __device__ bool operator()(const P& x, const P& y) const { return x.a < y.a; } };
int main() {
  host<float>(nullptr);
  thrust::device_vector<int> v(1000); thrust::device_vector<P> p(1000);
  thrust::sort(v.begin(), v.end());
  thrust::sort(p.begin(), p.end(), Less{});
  int k = 7;
  thrust::transform(v.begin(), v.end(), v.begin(), [k] __device__ (int x) { return x * k; });
  thrust::inclusive_scan(v.begin(), v.end(), v.begin(), thrust::maximum<int>());
  v.erase(thrust::unique(v.begin(), v.end()), v.end());
  auto z = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), thrust::make_counting_iterator(0)));
  auto t = thrust::make_transform_iterator(z, [] __host__ __device__ (thrust::tuple<int,int> q) { return thrust::get<0>(q) * 1.5; });
  return (int)thrust::reduce(t, t + 1000) + thrust::reduce(v.begin(), v.end());
}
