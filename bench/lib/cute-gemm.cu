// C = A * B^T in half precision on tensor cores, with tiles, layouts and copies from CuTe: a short source
// with many templates. The epilogue is a site, so variants of it do not need another run of the CUDA
// compiler.
#include <cute/tensor.hpp>

#include "ptx_inject.h"

using namespace cute;

extern "C" __global__ void gemm(const half_t *a, const half_t *b, float *c, int m, int n, int k) {
  using Block = Shape<_128, _128, _32>;
  using SmemAtom = decltype(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}));
  using SmemA = decltype(tile_to_shape(SmemAtom{}, Shape<_128, _32>{}));
  using Mma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2, _2, _1>>, Tile<_32, _32, _16>>;
  using Copy = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{},
                                        Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{}));
  using Load = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;

  __shared__ half_t memory_a[cosize_v<SmemA>];
  __shared__ half_t memory_b[cosize_v<SmemA>];
  Tensor all_a = make_tensor(make_gmem_ptr(a), make_shape(m, k), make_stride(k, _1{}));
  Tensor all_b = make_tensor(make_gmem_ptr(b), make_shape(n, k), make_stride(k, _1{}));
  Tensor all_c = make_tensor(make_gmem_ptr(c), make_shape(m, n), make_stride(n, _1{}));
  auto place = make_coord(blockIdx.x, blockIdx.y, _);
  Tensor tile_a = local_tile(all_a, Block{}, place, Step<_1, X, _1>{});
  Tensor tile_b = local_tile(all_b, Block{}, place, Step<X, _1, _1>{});
  Tensor tile_c = local_tile(all_c, Block{}, place, Step<_1, _1, X>{});
  Tensor shared_a = make_tensor(make_smem_ptr(memory_a), SmemA{});
  Tensor shared_b = make_tensor(make_smem_ptr(memory_b), SmemA{});

  Copy copier;
  auto mine = copier.get_slice(threadIdx.x);
  Tensor from_a = mine.partition_S(tile_a);
  Tensor to_a = mine.partition_D(shared_a);
  Tensor from_b = mine.partition_S(tile_b);
  Tensor to_b = mine.partition_D(shared_b);

  Mma mma;
  auto part = mma.get_slice(threadIdx.x);
  Tensor result = part.partition_C(tile_c);
  Tensor sum = part.make_fragment_C(result);
  Tensor regs_a = part.partition_fragment_A(shared_a);
  Tensor regs_b = part.partition_fragment_B(shared_b);
  auto load_a = make_tiled_copy_A(Load{}, mma);
  auto load_b = make_tiled_copy_B(Load{}, mma);
  auto mine_a = load_a.get_slice(threadIdx.x);
  auto mine_b = load_b.get_slice(threadIdx.x);
  Tensor out_a = mine_a.partition_S(shared_a);
  Tensor in_a = mine_a.retile_D(regs_a);
  Tensor out_b = mine_b.partition_S(shared_b);
  Tensor in_b = mine_b.retile_D(regs_b);

  clear(sum);
  for (int step = 0; step < size<2>(tile_a); step++) {
    copy(copier, from_a(_, _, _, step), to_a);
    copy(copier, from_b(_, _, _, step), to_b);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    copy(load_a, out_a, in_a);
    copy(load_b, out_b, in_b);
    gemm(mma, regs_a, regs_b, sum);
    __syncthreads();
  }
  CUTE_UNROLL
  for (int i = 0; i < size(sum); i++) {
    float x = sum(i), z;
    PTX_INJECT("epilogue", PTX_OUT(F32, z), PTX_IN(F32, x));
    result(i) = z;
  }
}
