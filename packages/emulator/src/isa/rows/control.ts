// Control flow, barriers and warp operations (PTX ISA, Control Flow Instructions; Parallel Synchronization and
// Communication Instructions; Miscellaneous Instructions). `call` has its own kind of operands and is read by
// ../../front/call.ts.

export const CONTROL = `
bra{.uni} t:label ; flow:jump
brx.idx{.uni} a:u32, t:targets ; flow:jump
call{.uni} ; reads writes flow:call
ret{.uni} ; flow:return
exit ; flow:exit
trap ; flow:trap
brkpt ; flow:trap
nanosleep.u32 a ; repeatable
pmevent{.mask} a:# ; repeatable
setmaxnreg.action.sync.aligned.u32 a:# ; repeatable ; action = inc dec ; sm_90 8.0
griddepcontrol.action ; repeatable ; action = launch_dependents wait ; sm_90 7.8
bar{.cta}.sync a:u32<16{, b:u32} ; waits:barrier aligned
bar{.cta}.arrive a:u32<16, b:u32 ; waits:barrier aligned
bar{.cta}.red.popc.u32 d, a:u32<16{, b:u32}, {!}c:pred ; waits:barrier aligned
bar{.cta}.red.op.pred p, a:u32<16{, b:u32}, {!}c:pred ; waits:barrier aligned ; op = and or
bar.warp.sync m:u32 ; waits:lanes
barrier{.cta}.sync{.aligned} a:u32<16{, b:u32} ; waits:barrier
barrier{.cta}.arrive{.aligned} a:u32<16, b:u32 ; waits:barrier
barrier{.cta}.red.popc{.aligned}.u32 d, a:u32<16{, b:u32}, {!}c:pred ; waits:barrier
barrier{.cta}.red.op{.aligned}.pred p, a:u32<16{, b:u32}, {!}c:pred ; waits:barrier ; op = and or
barrier.cluster.arrive{.sem}{.aligned} ; reads writes strong ; sem = release relaxed ; sm_90 7.8
barrier.cluster.wait{.acquire}{.aligned} ; reads writes strong ; sm_90 7.8
shfl.sync.mode.b32 d{|p}, a, b, c, m:u32 ; waits:lanes moves ; mode = up down bfly idx
vote.sync.mode.pred p, {!}a:pred, m:u32 ; waits:lanes ; mode = all any uni
vote.sync.ballot.b32 d, {!}a:pred, m:u32 ; waits:lanes
match.any.sync.type d:u32, a, m:u32 ; waits:lanes ; type = b32 b64
match.all.sync.type d:u32{|p}, a, m:u32 ; waits:lanes ; type = b32 b64
activemask.b32 d ; waits:active
redux.sync.op.type d, a, m:u32 ; waits:lanes ; op = add min max ; type = u32 s32 ; sm_80 7.0
redux.sync.op.b32 d:u32, a:u32, m:u32 ; waits:lanes ; op = and or xor ; sm_80 7.0
redux.sync.op{.abs}{.NaN}.f32 d, a, m:u32 ; waits:lanes ; op = min max ; sm_100 8.6
elect.sync d:u32?|p, m:u32 ; waits:lanes ; sm_90 8.0
`;
