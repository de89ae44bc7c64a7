// Memory barrier objects and the copies that signal them (PTX ISA, Parallel Synchronization and Communication
// Instructions: mbarrier; Data Movement and Conversion Instructions: Asynchronous copy).

const OWN = "ss = shared shared::cta=shared";
/** Where a block of the cluster is: its own or another one. */
const ANY = "ss = shared shared::cta=shared shared::cluster=shared";
const CLUSTER = "ss = shared::cluster=shared";
const NEAR = "scope = cta cluster";
const ARRIVE = "sem = release relaxed";
const WAIT = "sem = acquire relaxed";
const EFFECT = "reads writes strong procedure";

export const BARRIER_OBJECT = `
mbarrier.init{.ss}.b64 [a:ss], count:u32 ; ${EFFECT} ; ${OWN} ; sm_80 7.0
mbarrier.inval{.ss}.b64 [a:ss] ; ${EFFECT} ; ${OWN} ; sm_80 7.0
mbarrier.expect_tx{.sem}{.scope}{.ss}.b64 [a:ss], count:u32 ; ${EFFECT} ; sem = relaxed ; ${NEAR} ; ${ANY} ; sm_90 8.0
mbarrier.complete_tx{.sem}{.scope}{.ss}.b64 [a:ss], count:u32 ; ${EFFECT} ; sem = relaxed ; ${NEAR} ; ${ANY} ; sm_90 8.0
mbarrier.op{.sem}{.scope}{.ss}.b64 d?, [a:ss] ; ${EFFECT} ; op = arrive arrive_drop ; ${ARRIVE} ; ${NEAR} ; ${OWN} ; sm_80 7.0
mbarrier.op{.sem}{.scope}{.ss}.b64 d?, [a:ss], count:u32 ; ${EFFECT} ; op = arrive arrive_drop ; ${ARRIVE} ; ${NEAR} ; ${OWN} ; sm_90 7.8
mbarrier.op{.sem}{.scope}.ss.b64 d?, [a:ss]{, count:u32} ; ${EFFECT} ; op = arrive arrive_drop ; ${ARRIVE} ; ${NEAR} ; ${CLUSTER} ; sm_90 8.0
mbarrier.op.expect_tx{.sem}{.scope}{.ss}.b64 d?, [a:ss], count:u32 ; ${EFFECT} ; op = arrive arrive_drop ; ${ARRIVE} ; ${NEAR} ; ${ANY} ; sm_90 8.0
mbarrier.op.noComplete{.sem}{.scope}{.ss}.b64 d?, [a:ss], count:u32 ; ${EFFECT} ; op = arrive arrive_drop ; sem = release ; scope = cta ; ${OWN} ; sm_80 7.0
mbarrier.test_wait{.sem}{.scope}{.ss}.b64 p, [a:ss], state:b64 ; reads strong procedure waits:phase ; ${WAIT} ; ${NEAR} ; ${OWN} ; sm_80 7.0
mbarrier.test_wait.parity{.sem}{.scope}{.ss}.b64 p, [a:ss], parity:u32 ; reads strong procedure waits:phase ; ${WAIT} ; ${NEAR} ; ${OWN} ; sm_80 7.1
mbarrier.try_wait{.sem}{.scope}{.ss}.b64 p, [a:ss], state:b64{, hint:u32} ; reads strong procedure waits:phase ; ${WAIT} ; ${NEAR} ; ${OWN} ; sm_90 7.8
mbarrier.try_wait.parity{.sem}{.scope}{.ss}.b64 p, [a:ss], parity:u32{, hint:u32} ; reads strong procedure waits:phase ; ${WAIT} ; ${NEAR} ; ${OWN} ; sm_90 7.8
mbarrier.pending_count.b64 d:u32, state:b64 ; repeatable procedure ; sm_80 7.0
cp.async.mbarrier.arrive{.noinc}{.ss}.b64 [a:ss] ; ${EFFECT} ; ${OWN} ; sm_80 7.0
cp.async.bulk.to.from.mbarrier::complete_tx::bytes{.policy} [a:shared], [b:global], size:u32, [bar:shared]{, policy:u64} ; ${EFFECT} ; to = shared::cluster=shared shared::cta=shared ; from = global ; sm_90 8.0
cp.async.bulk.to.from.bulk_group{.policy} [a:global], [b:shared], size:u32{, policy:u64} ; ${EFFECT} ; to = global ; from = shared::cta=shared ; sm_90 8.0
cp.async.bulk.commit_group ; repeatable ; sm_90 8.0
cp.async.bulk.wait_group{.read} n:# ; repeatable ; sm_90 8.0
fence.mbarrier_init.release.cluster ; repeatable ; sm_90 8.0
fence.proxy.kind.sem.part.cluster ; repeatable ; kind = async::generic ; sem = acquire ; part = sync_restrict::shared::cluster ; sm_90 8.6
fence.proxy.kind.sem.part.cluster ; repeatable ; kind = async::generic ; sem = release ; part = sync_restrict::shared::cta ; sm_90 8.6
`;
