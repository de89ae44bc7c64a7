// Control flow, barriers and what acts on warps (PTX ISA, Control Flow Instructions; Parallel Synchronization and Communication
// Instructions; Miscellaneous Instructions). `call` has operands of its own kind and is read by ../../front/call.ts.

export const CONTROL = `
bra{.uni} t:label
brx.idx{.uni} a:u32, t:targets
call{.uni}
ret{.uni}
exit
trap
brkpt
nanosleep.u32 a
pmevent{.mask} a:#
griddepcontrol.action ; action = launch_dependents wait ; sm_90 7.8
bar{.cta}.sync a:u32<16{, b:u32}
bar{.cta}.arrive a:u32<16, b:u32
bar{.cta}.red.popc.u32 d, a:u32<16{, b:u32}, {!}c:pred
bar{.cta}.red.op.pred p, a:u32<16{, b:u32}, {!}c:pred ; op = and or
bar.warp.sync m:u32
barrier{.cta}.sync{.aligned} a:u32<16{, b:u32}
barrier{.cta}.arrive{.aligned} a:u32<16, b:u32
barrier{.cta}.red.popc{.aligned}.u32 d, a:u32<16{, b:u32}, {!}c:pred
barrier{.cta}.red.op{.aligned}.pred p, a:u32<16{, b:u32}, {!}c:pred ; op = and or
shfl.sync.mode.b32 d{|p}, a, b, c, m:u32 ; mode = up down bfly idx
vote.sync.mode.pred p, {!}a:pred, m:u32 ; mode = all any uni
vote.sync.ballot.b32 d, {!}a:pred, m:u32
match.any.sync.type d:u32, a, m:u32 ; type = b32 b64
match.all.sync.type d:u32{|p}, a, m:u32 ; type = b32 b64
activemask.b32 d
redux.sync.op.type d, a, m:u32 ; op = add min max ; type = u32 s32 ; sm_80 7.0
redux.sync.op.b32 d:u32, a:u32, m:u32 ; op = and or xor ; sm_80 7.0
elect.sync d:u32?|p, m:u32 ; sm_90 8.0
`;
