// Instructions on integers and bits, in the notation of ../notation.ts (PTX ISA, Integer Arithmetic, Extended-Precision Integer
// Arithmetic, Logic and Shift Instructions).

export const INTEGER = `
add.type d, a, b ; repeatable cheap ; type = u16 u32 u64 s16 s64
add{.sat}.s32 d, a, b ; repeatable cheap
add.type d, a, b ; repeatable ; type = u16x2 s16x2 ; sm_90 8.0
sub.type d, a, b ; repeatable cheap ; type = u16 u32 u64 s16 s64
sub{.sat}.s32 d, a, b ; repeatable cheap
mul.mode.type d, a, b ; repeatable cheap ; mode = lo hi ; type = u16 u32 u64 s16 s32 s64
mul.wide.u16 d:u32, a, b ; repeatable cheap
mul.wide.s16 d:s32, a, b ; repeatable cheap
mul.wide.u32 d:u64, a, b ; repeatable cheap
mul.wide.s32 d:s64, a, b ; repeatable cheap
mad.mode.type d, a, b, c ; repeatable cheap ; mode = lo hi ; type = u16 u32 u64 s16 s32 s64
mad.hi.sat.s32 d, a, b, c ; repeatable cheap
mad.wide.u16 d:u32, a, b, c:u32 ; repeatable cheap
mad.wide.s16 d:s32, a, b, c:s32 ; repeatable cheap
mad.wide.u32 d:u64, a, b, c:u64 ; repeatable cheap
mad.wide.s32 d:s64, a, b, c:s64 ; repeatable cheap
mul24.mode.type d, a, b ; repeatable ; mode = lo hi ; type = u32 s32
mad24.mode.type d, a, b, c ; repeatable ; mode = lo hi ; type = u32 s32
mad24.hi.sat.s32 d, a, b, c ; repeatable
sad.type d, a, b, c ; repeatable ; type = u16 u32 u64 s16 s32 s64
div.type d, a, b ; repeatable ; type = u16 u32 u64 s16 s32 s64
rem.type d, a, b ; repeatable ; type = u16 u32 u64 s16 s32 s64
abs.type d, a ; repeatable ; type = s16 s32 s64
neg.type d, a ; repeatable cheap ; type = s16 s32 s64
min.type d, a, b ; repeatable cheap ; type = u16 u32 u64 s16 s64
max.type d, a, b ; repeatable cheap ; type = u16 u32 u64 s16 s64
min{.relu}.s32 d, a, b ; repeatable cheap
max{.relu}.s32 d, a, b ; repeatable cheap
min.u16x2 d, a, b ; repeatable ; sm_90 8.0
max.u16x2 d, a, b ; repeatable ; sm_90 8.0
min{.relu}.s16x2 d, a, b ; repeatable ; sm_90 8.0
max{.relu}.s16x2 d, a, b ; repeatable ; sm_90 8.0
popc.type d:u32, a ; repeatable ; type = b32 b64
clz.type d:u32, a ; repeatable ; type = b32 b64
bfind.type d:u32, a ; repeatable ; type = u32 u64 s32 s64
bfind.shiftamt.type d:u32, a ; repeatable ; type = u32 u64 s32 s64
fns.b32 d, a:b32, b:b32, c:s32 ; repeatable
brev.type d, a ; repeatable ; type = b32 b64
bfe.type d, a, b:u32<256, c:u32<256 ; repeatable ; type = u32 u64 s32 s64
bfi.type d, a, b, c:u32<256, e:u32<256 ; repeatable ; type = b32 b64
szext.mode.type d, a, b:u32 ; repeatable ; mode = clamp wrap ; type = u32 s32
bmsk.mode.b32 d:u32, a:u32, b:u32 ; repeatable ; mode = clamp wrap
dp4a.type.btype d:s32, a:type, b:btype, c:s32 ; repeatable ; type = u32 s32 ; btype = u32 s32
dp2a.mode.type.btype d:s32, a:type, b:btype, c:s32 ; repeatable ; mode = lo hi ; type = u32 s32 ; btype = u32 s32
add.cc.type d, a, b ; givesCarry ; type = u32 s32 u64 s64
addc{.cc}.type d, a, b ; takesCarry givesCarry:cc ; type = u32 s32 u64 s64
sub.cc.type d, a, b ; givesCarry ; type = u32 s32 u64 s64
subc{.cc}.type d, a, b ; takesCarry givesCarry:cc ; type = u32 s32 u64 s64
mad.mode.cc.type d, a, b, c ; givesCarry ; mode = lo hi ; type = u32 s32 u64 s64
madc.mode{.cc}.type d, a, b, c ; takesCarry givesCarry:cc ; mode = lo hi ; type = u32 s32 u64 s64
and.type d, a, b ; repeatable cheap ; type = b16 b32 b64
or.type d, a, b ; repeatable cheap ; type = b16 b32 b64
xor.type d, a, b ; repeatable cheap ; type = b16 b32 b64
not.type d, a ; repeatable cheap ; type = b16 b32 b64
and.pred d, {!}a, {!}b ; repeatable cheap
or.pred d, {!}a, {!}b ; repeatable cheap
xor.pred d, {!}a, {!}b ; repeatable cheap
not.pred d, {!}a ; repeatable cheap
cnot.type d, a ; repeatable ; type = b16 b32 b64
lop3.b32 d, a, b, c, imm:# ; repeatable
lop3.bool.b32 d?|p, a, b, c, imm:#, {!}q:pred ; repeatable ; bool = or and ; 8.2
shf.dir.mode.b32 d, a, b, c:u32 ; repeatable ; dir = l r ; mode = clamp wrap
shl.type d, a, b:u32 ; repeatable cheap ; type = b16 b32 b64
shr.type d, a, b:u32 ; repeatable cheap ; type = b16 b32 b64 u16 u32 u64 s16 s32 s64
prmt.b32{.mode} d, a, b, c ; repeatable ; mode = f4e b4e rc8 ecl ecr rc16
`;
