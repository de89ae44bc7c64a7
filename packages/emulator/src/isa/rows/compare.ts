// Comparison and selection (PTX ISA, Comparison and Selection Instructions; Half Precision Comparison Instructions).

export const COMPARE = `
setp.cmp.type p?{|q}, a, b ; repeatable cheap ; cmp = eq ne ; type = b16 b32 b64
setp.cmp.bool.type p?{|q}, a, b, {!}c:pred ; repeatable cheap ; cmp = eq ne ; type = b16 b32 b64
setp.cmp.type p?{|q}, a, b ; repeatable cheap ; cmp = eq ne lt le gt ge ; type = s16 s32 s64
setp.cmp.bool.type p?{|q}, a, b, {!}c:pred ; repeatable cheap ; cmp = eq ne lt le gt ge ; type = s16 s32 s64
setp.cmp.type p?{|q}, a, b ; repeatable cheap ; cmp = eq ne lt le gt ge lo ls hi hs ; type = u16 u32 u64
setp.cmp.bool.type p?{|q}, a, b, {!}c:pred ; repeatable cheap ; cmp = eq ne lt le gt ge lo ls hi hs ; type = u16 u32 u64
setp.fcmp{.ftz}.f32 p?{|q}, a, b ; repeatable cheap
setp.fcmp.bool{.ftz}.f32 p?{|q}, a, b, {!}c:pred ; repeatable cheap
setp.fcmp.f64 p?{|q}, a, b ; repeatable cheap
setp.fcmp.bool.f64 p?{|q}, a, b, {!}c:pred ; repeatable cheap
setp.fcmp{.ftz}.f16 p, a, b ; repeatable
setp.fcmp.bool{.ftz}.f16 p, a, b, {!}c:pred ; repeatable
setp.fcmp{.ftz}.f16x2 p|q, a, b ; repeatable
setp.fcmp.bool{.ftz}.f16x2 p|q, a, b, {!}c:pred ; repeatable
setp.fcmp.bf16 p, a, b ; repeatable ; sm_90 7.8
setp.fcmp.bool.bf16 p, a, b, {!}c:pred% ; repeatable ; sm_90 7.8
setp.fcmp.bf16x2 p|q, a, b ; repeatable ; sm_90 7.8
setp.fcmp.bool.bf16x2 p|q, a, b, {!}c:pred% ; repeatable ; sm_90 7.8
set.cmp.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; cmp = eq ne ; dtype = u32 s32 f32 f16 ; stype = b16 b32 b64
set.cmp.bool.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred ; repeatable ; cmp = eq ne ; dtype = u32 s32 f32 f16 ; stype = b16 b32 b64
set.cmp.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; cmp = eq ne lt le gt ge ; dtype = u32 s32 f32 f16 ; stype = s16 s32 s64
set.cmp.bool.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred ; repeatable ; cmp = eq ne lt le gt ge ; dtype = u32 s32 f32 f16 ; stype = s16 s32 s64
set.cmp.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; cmp = eq ne lt le gt ge lo ls hi hs ; dtype = u32 s32 f32 f16 ; stype = u16 u32 u64
set.cmp.bool.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred ; repeatable ; cmp = eq ne lt le gt ge lo ls hi hs ; dtype = u32 s32 f32 f16 ; stype = u16 u32 u64
set.fcmp{.ftz}.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; dtype = u32 s32 f32 f16 ; stype = f32
set.fcmp.bool{.ftz}.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred ; repeatable ; dtype = u32 s32 f32 f16 ; stype = f32
set.fcmp.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; dtype = u32 s32 f32 f16 ; stype = f64
set.fcmp.bool.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred ; repeatable ; dtype = u32 s32 f32 f16 ; stype = f64
set.fcmp{.ftz}.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; dtype = u16 s16 u32 s32 f16 ; stype = f16
set.fcmp.bool{.ftz}.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred ; repeatable ; dtype = u16 s16 u32 s32 f16 ; stype = f16
set.fcmp{.ftz}.dtype.f16x2 d, a:f16x2, b:f16x2 ; repeatable ; dtype = u32 s32 f16x2
set.fcmp.bool{.ftz}.dtype.f16x2 d, a:f16x2, b:f16x2, {!}c:pred ; repeatable ; dtype = u32 s32 f16x2
set.fcmp.dtype.stype d:dtype, a:stype, b:stype ; repeatable ; dtype = u16 s16 u32 s32 bf16 ; stype = bf16 ; sm_90 7.8
set.fcmp.bool.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred% ; repeatable ; dtype = u16 s16 u32 s32 bf16 ; stype = bf16 ; sm_90 7.8
set.fcmp.dtype.bf16x2 d, a:bf16x2, b:bf16x2 ; repeatable ; dtype = u32 s32 bf16x2 ; sm_90 7.8
set.fcmp.bool.dtype.bf16x2 d, a:bf16x2, b:bf16x2, {!}c:pred% ; repeatable ; dtype = u32 s32 bf16x2 ; sm_90 7.8
set.cmp.bf16.stype d, a:stype, b:stype ; repeatable ; cmp = eq ne ; stype = b16 b32 b64 ; sm_90 7.8
set.cmp.bool.bf16.stype d, a:stype, b:stype, {!}c:pred% ; repeatable ; cmp = eq ne ; stype = b16 b32 b64 ; sm_90 7.8
set.cmp.bf16.stype d, a:stype, b:stype ; repeatable ; cmp = eq ne lt le gt ge ; stype = s16 s32 s64 ; sm_90 7.8
set.cmp.bool.bf16.stype d, a:stype, b:stype, {!}c:pred% ; repeatable ; cmp = eq ne lt le gt ge ; stype = s16 s32 s64 ; sm_90 7.8
set.cmp.bf16.stype d, a:stype, b:stype ; repeatable ; cmp = eq ne lt le gt ge lo ls hi hs ; stype = u16 u32 u64 ; sm_90 7.8
set.cmp.bool.bf16.stype d, a:stype, b:stype, {!}c:pred% ; repeatable ; cmp = eq ne lt le gt ge lo ls hi hs ; stype = u16 u32 u64 ; sm_90 7.8
set.fcmp.bf16.stype d, a:stype, b:stype ; repeatable ; stype = f16 f32 f64 ; sm_90 7.8
set.fcmp.bool.bf16.stype d, a:stype, b:stype, {!}c:pred% ; repeatable ; stype = f16 f32 f64 ; sm_90 7.8
selp.type d, a, b, {!}c:pred ; repeatable cheap moves copies ; type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64
slct.type.s32 d, a, b, c:s32 ; repeatable moves ; type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64
slct{.ftz}.type.f32 d, a, b, c:f32 ; repeatable moves ; type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64
`;
