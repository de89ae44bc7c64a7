// Moves and conversions (PTX ISA, Data Movement and Conversion Instructions).

export const MOVE = `
mov.type d, a$& ; repeatable cheap moves copies ; type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64
mov.pred d, {!}a$ ; repeatable cheap moves copies
mov.b128 d, a ; repeatable moves copies ; sm_70 8.3
mov.b16 d, a*2:b8 ; repeatable cheap moves copies
mov.b32 d, a*2:b16 ; repeatable cheap moves copies
mov.b32 d, a*4:b8 ; repeatable cheap moves copies
mov.b64 d, a*2:b32 ; repeatable cheap moves copies
mov.b64 d, a*4:b16 ; repeatable cheap moves copies
mov.b128 d, a*2:b64 ; repeatable moves copies ; sm_70 8.3
mov.b128 d, a*4:b32 ; repeatable moves copies ; sm_70 8.3
mov.b16 d*2:b8, a ; repeatable cheap moves copies
mov.b32 d*2:b16, a ; repeatable cheap moves copies
mov.b32 d*4:b8, a ; repeatable cheap moves copies
mov.b64 d*2:b32, a ; repeatable cheap moves copies
mov.b64 d*4:b16, a ; repeatable cheap moves copies
mov.b128 d*2:b64, a ; repeatable moves copies ; sm_70 8.3
mov.b128 d*4:b32, a ; repeatable moves copies ; sm_70 8.3
cvt{.sat}.type.atype d:type~, a:atype~$ ; repeatable cheap ; type = u8 u16 u32 u64 s8 s16 s32 s64 ; atype = u16 u32 u64 s8 s16 s32 s64
cvt.type.u8 d:type~, a:u8~$ ; repeatable cheap ; type = u8 u16 u32 u64 s8 s16 s32 s64
cvt.sat.s8.u8 d:s8~, a:u8~$ ; repeatable cheap
cvt.rnd{.ftz}{.sat}.f32.atype d:f32~, a:atype~ ; repeatable cheap canonical ; atype = u8 u16 u32 u64 s8 s16 s32 s64
cvt.rnd{.sat}.type.atype d:type~, a:atype~ ; repeatable ; type = f16 f64 ; atype = u8 u16 u32 u64 s8 s16 s32 s64
cvt.rnd.bf16.atype d:bf16, a:atype ; repeatable ; atype = u8 u16 u32 u64 s8 s16 s32 s64 ; sm_90 7.8
cvt.irnd{.ftz}{.sat}.type.f32 d:type~, a:f32~ ; repeatable cheap ; type = u8 u16 u32 u64 s8 s16 s32 s64
cvt.irnd{.sat}.type.atype d:type~, a:atype~ ; repeatable ; type = u8 u16 u32 u64 s8 s16 s32 s64 ; atype = f16 f64
cvt.irnd.type.bf16 d:type, a:bf16 ; repeatable ; type = u8 u16 u32 u64 s8 s16 s32 s64 ; sm_90 7.8
cvt{.irnd}{.ftz}{.sat}.f32.f32 d:f32~, a:f32~ ; repeatable cheap canonical
cvt{.irnd}{.sat}.f64.f64 d:f64~, a:f64~ ; repeatable cheap
cvt{.irnd}{.sat}.f16.f16 d:f16~, a:f16~ ; repeatable
cvt{.irnd}.bf16.bf16 d:bf16, a:bf16 ; repeatable ; sm_90 7.8
cvt{.ftz}{.sat}.f32.f16 d:f32~, a:f16~ ; repeatable canonical
cvt.f32.bf16 d:f32, a:bf16 ; repeatable canonical ; sm_80 7.1
cvt{.sat}.f64.f16 d:f64~, a:f16~ ; repeatable
cvt{.ftz}{.sat}.f64.f32 d:f64~, a:f32~ ; repeatable cheap
cvt.rnd{.ftz}{.sat}.f32.f64 d:f32~, a:f64~ ; repeatable cheap canonical
cvt.rnd{.sat}.f16.f64 d:f16~, a:f64~ ; repeatable
cvt.rnd{.ftz}{.sat}.f16.f32 d:f16~, a:f32~ ; repeatable
cvt.hrnd.relu{.satfinite}.f16.f32 d:f16~, a:f32~ ; repeatable ; hrnd = rn rz ; sm_80 7.0
cvt.hrnd.satfinite.f16.f32 d:f16~, a:f32~ ; repeatable ; hrnd = rn rz ; 8.1
cvt.hrnd{.relu}{.satfinite}.bf16.f32 d:bf16, a:f32 ; repeatable ; hrnd = rn rz ; sm_80 7.0
cvt.rnd.bf16.type d:bf16, a:type ; repeatable ; type = f16 f64 ; sm_90 7.8
cvt.rnd.f16.bf16 d:f16, a:bf16 ; repeatable ; sm_90 7.8
cvt.f64.bf16 d:f64, a:bf16 ; repeatable ; sm_90 7.8
cvt.hrnd{.relu}{.satfinite}.type.f32 d:type, a:f32, b:f32 ; repeatable ; hrnd = rn rz ; type = f16x2 bf16x2 ; sm_80 7.0
cvt.rn.satfinite{.relu}.type.f32 d:type, a:f32, b:f32 ; repeatable ; type = e4m3x2 e5m2x2 ; sm_89 8.1
cvt.rn.satfinite{.relu}.type.f16x2 d:type, a:f16x2 ; repeatable ; type = e4m3x2 e5m2x2 ; sm_89 8.1
cvt.rn{.relu}.f16x2.atype d:f16x2, a:atype ; repeatable ; atype = e4m3x2 e5m2x2 ; sm_89 8.1
cvt.rna{.satfinite}.tf32.f32 d:tf32, a:f32 ; repeatable ; sm_80 7.0
cvt.hrnd{.relu}{.satfinite}.tf32.f32 d:tf32, a:f32 ; repeatable ; hrnd = rn rz ; sm_90 7.8
cvt.pack.sat.type.s32 d:u32~, a:s32~, b:s32~ ; repeatable ; type = u16 s16 ; sm_72 6.5
cvt.pack.sat.type.s32.b32 d:u32~, a:s32~, b:s32~, c:b32~ ; repeatable ; type = u8 s8 ; sm_72 6.5
cvta.space.u64 d, a& ; repeatable cheap ; space = const global local shared shared::cta=shared shared::cluster=shared param param::entry=param
cvta.to.space.u64 d, a ; repeatable cheap ; space = const global local shared shared::cta=shared shared::cluster=shared param param::entry=param
mapa.type d, a:type, b:u32 ; repeatable ; type = u32 u64 ; sm_90 7.8
mapa.space.type d, a&, b:u32 ; repeatable ; space = shared::cluster=shared ; type = u32 u64 ; sm_90 7.8
getctarank.type d:u32, a:type ; repeatable ; type = u32 u64 ; sm_90 7.8
getctarank.space.type d:u32, a& ; repeatable ; space = shared::cluster=shared ; type = u32 u64 ; sm_90 7.8
isspacep.space p, a:u64 ; repeatable ; space = const global local shared shared::cta=shared shared::cluster=shared param param::entry=param
`;
