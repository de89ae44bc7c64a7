// Warp matrices (PTX ISA, Warp Level Matrix Multiply-Accumulate Instructions). Fragments are vectors: `a*4:f16x2%` is four
// registers, each with two elements.

export const MATRIX = `
mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 d*2:f16x2, a*2:f16x2%, b*1:f16x2%, c*2:f16x2% ; waits:lanes ; sm_75 6.5
mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 d*4:f32, a*2:f16x2%, b*1:f16x2%, c*4:f32 ; waits:lanes ; sm_75 6.5
mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 d*2:f16x2, a*4:f16x2%, b*2:f16x2%, c*2:f16x2% ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d*4:f32, a*4:f16x2%, b*2:f16x2%, c*4:f32 ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 d*4:f32, a*2:bf16x2%, b*1:bf16x2%, c*4:f32 ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d*4:f32, a*4:bf16x2%, b*2:bf16x2%, c*4:f32 ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 d*4:f32, a*2:tf32%, b*1:tf32%, c*4:f32 ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d*4:f32, a*4:tf32%, b*2:tf32%, c*4:f32 ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m8n8k4.row.col{.rnd}.f64.f64.f64.f64 d*2:f64, a*1:f64%, b*1:f64%, c*2:f64% ; waits:lanes ; sm_80 7.0
mma.sync.aligned.m8n8k16.row.col{.satfinite}.s32.atype.btype.s32 d*2:s32, a*1:b32, b*1:b32, c*2:s32 ; waits:lanes ; atype = u8 s8 ; btype = u8 s8 ; sm_75 6.5
mma.sync.aligned.m16n8k16.row.col{.satfinite}.s32.atype.btype.s32 d*4:s32, a*2:b32, b*1:b32, c*4:s32 ; waits:lanes ; atype = u8 s8 ; btype = u8 s8 ; sm_80 7.0
mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32.atype.btype.s32 d*4:s32, a*4:b32, b*2:b32, c*4:s32 ; waits:lanes ; atype = u8 s8 ; btype = u8 s8 ; sm_80 7.0
mma.sync.aligned.m16n8k32.row.col.f32.atype.btype.f32 d*4:f32, a*4:b32, b*2:b32, c*4:f32 ; waits:lanes ; atype = e4m3 e5m2 ; btype = e4m3 e5m2 ; sm_89 8.4
mma.sync.aligned.m16n8k32.row.col.f16.atype.btype.f16 d*2:f16x2, a*4:b32, b*2:b32, c*2:f16x2% ; waits:lanes ; atype = e4m3 e5m2 ; btype = e4m3 e5m2 ; sm_89 8.7
ldmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16 d*num:b32, [a:shared] ; reads waits:lanes ; num = x1 x2 x4 ; ss = shared shared::cta=shared ; sm_75 6.5
stmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16 [a:shared], b*num:b32% ; writes waits:lanes ; num = x1 x2 x4 ; ss = shared shared::cta=shared ; sm_90 7.8
movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:b32% ; waits:lanes ; sm_75 7.8
`;
