// Warp matrices with opaque fragments (PTX ISA, Warp-level Matrix Instructions using wmma). ../../run/fragments.ts
// defines which lane holds which element.

const SS = "ss = global shared shared::cta=shared";

export const WMMA = `
wmma.load.matrix.sync.aligned.layout.shape{.ss}.f16 d*8:f16x2, [a:ss]{, b:u32} ; reads waits:lanes ; matrix = a b ; ${SS} ; sm_70 6.1
wmma.load.matrix.sync.aligned.layout.m16n16k16{.ss}.bf16 d*4:bf16x2, [a:ss]{, b:u32} ; reads waits:lanes ; matrix = a b ; ${SS} ; sm_80 7.0
wmma.load.a.sync.aligned.layout.m8n32k16{.ss}.bf16 d*2:bf16x2, [a:ss]{, b:u32} ; reads waits:lanes ; ${SS} ; sm_80 7.0
wmma.load.b.sync.aligned.layout.m8n32k16{.ss}.bf16 d*8:bf16x2, [a:ss]{, c:u32} ; reads waits:lanes ; ${SS} ; sm_80 7.0
wmma.load.a.sync.aligned.layout.m32n8k16{.ss}.bf16 d*8:bf16x2, [a:ss]{, b:u32} ; reads waits:lanes ; ${SS} ; sm_80 7.0
wmma.load.b.sync.aligned.layout.m32n8k16{.ss}.bf16 d*2:bf16x2, [a:ss]{, c:u32} ; reads waits:lanes ; ${SS} ; sm_80 7.0
wmma.load.matrix.sync.aligned.layout.m16n16k8{.ss}.tf32 d*4:b32, [a:ss]{, b:u32} ; reads waits:lanes ; matrix = a b ; ${SS} ; sm_80 7.0
wmma.load.matrix.sync.aligned.layout.m8n8k4{.ss}.f64 d*1:f64, [a:ss]{, b:u32} ; reads waits:lanes ; matrix = a b ; ${SS} ; sm_80 7.0
wmma.load.matrix.sync.aligned.layout.m16n16k16{.ss}.type d*2:b32, [a:ss]{, b:u32} ; reads waits:lanes ; matrix = a b ; type = u8 s8 ; ${SS} ; sm_72 6.3
wmma.load.a.sync.aligned.layout.m8n32k16{.ss}.type d*1:b32, [a:ss]{, b:u32} ; reads waits:lanes ; type = u8 s8 ; ${SS} ; sm_72 6.3
wmma.load.b.sync.aligned.layout.m8n32k16{.ss}.type d*4:b32, [a:ss]{, c:u32} ; reads waits:lanes ; type = u8 s8 ; ${SS} ; sm_72 6.3
wmma.load.a.sync.aligned.layout.m32n8k16{.ss}.type d*4:b32, [a:ss]{, b:u32} ; reads waits:lanes ; type = u8 s8 ; ${SS} ; sm_72 6.3
wmma.load.b.sync.aligned.layout.m32n8k16{.ss}.type d*1:b32, [a:ss]{, c:u32} ; reads waits:lanes ; type = u8 s8 ; ${SS} ; sm_72 6.3
wmma.load.c.sync.aligned.layout.shape{.ss}.f16 d*4:f16x2, [a:ss]{, b:u32} ; reads waits:lanes ; ${SS} ; sm_70 6.1
wmma.load.c.sync.aligned.layout.shape{.ss}.f32 d*8:f32, [a:ss]{, b:u32} ; reads waits:lanes ; shape = m16n16k16 m8n32k16 m32n8k16 m16n16k8 ; ${SS} ; sm_70 6.1
wmma.load.c.sync.aligned.layout.shape{.ss}.s32 d*8:s32, [a:ss]{, b:u32} ; reads waits:lanes ; ${SS} ; sm_72 6.3
wmma.load.c.sync.aligned.layout.m8n8k4{.ss}.f64 d*2:f64, [a:ss]{, b:u32} ; reads waits:lanes ; ${SS} ; sm_80 7.0
wmma.store.d.sync.aligned.layout.shape{.ss}.f16 [a:ss], b*4:f16x2%{, c:u32} ; writes waits:lanes ; ${SS} ; sm_70 6.1
wmma.store.d.sync.aligned.layout.shape{.ss}.f32 [a:ss], b*8:f32{, c:u32} ; writes waits:lanes ; shape = m16n16k16 m8n32k16 m32n8k16 m16n16k8 ; ${SS} ; sm_70 6.1
wmma.store.d.sync.aligned.layout.shape{.ss}.s32 [a:ss], b*8:s32{, c:u32} ; writes waits:lanes ; ${SS} ; sm_72 6.3
wmma.store.d.sync.aligned.layout.m8n8k4{.ss}.f64 [a:ss], b*2:f64%{, c:u32} ; writes waits:lanes ; ${SS} ; sm_80 7.0
wmma.mma.sync.aligned.alayout.blayout.shape.f32.f32 d*8:f32, a*8:f16x2%, b*8:f16x2%, c*8:f32 ; waits:lanes ; sm_70 6.1
wmma.mma.sync.aligned.alayout.blayout.shape.f32.f16 d*8:f32, a*8:f16x2%, b*8:f16x2%, c*4:f16x2% ; waits:lanes ; sm_70 6.1
wmma.mma.sync.aligned.alayout.blayout.shape.f16.f32 d*4:f16x2, a*8:f16x2%, b*8:f16x2%, c*8:f32 ; waits:lanes ; sm_70 6.1
wmma.mma.sync.aligned.alayout.blayout.shape.f16.f16 d*4:f16x2, a*8:f16x2%, b*8:f16x2%, c*4:f16x2% ; waits:lanes ; sm_70 6.1
wmma.mma.sync.aligned.alayout.blayout.m16n16k16.f32.bf16.bf16.f32 d*8:f32, a*4:bf16x2%, b*4:bf16x2%, c*8:f32 ; waits:lanes ; sm_80 7.0
wmma.mma.sync.aligned.alayout.blayout.m8n32k16.f32.bf16.bf16.f32 d*8:f32, a*2:bf16x2%, b*8:bf16x2%, c*8:f32 ; waits:lanes ; sm_80 7.0
wmma.mma.sync.aligned.alayout.blayout.m32n8k16.f32.bf16.bf16.f32 d*8:f32, a*8:bf16x2%, b*2:bf16x2%, c*8:f32 ; waits:lanes ; sm_80 7.0
wmma.mma.sync.aligned.alayout.blayout.m16n16k8.f32.tf32.tf32.f32 d*8:f32, a*4:b32%, b*4:b32%, c*8:f32 ; waits:lanes ; sm_80 7.0
wmma.mma.sync.aligned.alayout.blayout.m8n8k4{.rnd}.f64.f64.f64.f64 d*2:f64, a*1:f64%, b*1:f64%, c*2:f64% ; waits:lanes ; sm_80 7.0
wmma.mma.sync.aligned.alayout.blayout.m16n16k16.s32.s8.s8.s32{.satfinite} d*8:s32, a*2:b32, b*2:b32, c*8:s32 ; waits:lanes ; sm_72 6.3
wmma.mma.sync.aligned.alayout.blayout.m16n16k16.s32.u8.u8.s32{.satfinite} d*8:s32, a*2:b32, b*2:b32, c*8:s32 ; waits:lanes ; sm_72 6.3
wmma.mma.sync.aligned.alayout.blayout.m8n32k16.s32.s8.s8.s32{.satfinite} d*8:s32, a*1:b32, b*4:b32, c*8:s32 ; waits:lanes ; sm_72 6.3
wmma.mma.sync.aligned.alayout.blayout.m8n32k16.s32.u8.u8.s32{.satfinite} d*8:s32, a*1:b32, b*4:b32, c*8:s32 ; waits:lanes ; sm_72 6.3
wmma.mma.sync.aligned.alayout.blayout.m32n8k16.s32.s8.s8.s32{.satfinite} d*8:s32, a*4:b32, b*1:b32, c*8:s32 ; waits:lanes ; sm_72 6.3
wmma.mma.sync.aligned.alayout.blayout.m32n8k16.s32.u8.u8.s32{.satfinite} d*8:s32, a*4:b32, b*1:b32, c*8:s32 ; waits:lanes ; sm_72 6.3
`;
