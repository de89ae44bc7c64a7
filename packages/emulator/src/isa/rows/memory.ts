// Loads, stores, atomic operations, fences and asynchronous copies (PTX ISA, Data Movement and Conversion Instructions;
// Parallel Synchronization and Communication Instructions). Cache hints are accepted and have no effect.

/** Vectors of 256 bits. */
const WIDE4 = "type = b64 u64 s64 f64 ; ss = global ; sm_100 8.8";
const WIDE8 = "type = b32 u32 s32 f32 ; ss = global ; sm_100 8.8";
/** Memory that several threads can access. */
const COMMON = "ss = global shared shared::cta=shared shared::cluster=shared";
const LOAD_COP = "cop = ca cg cs lu cv";
const STORE_COP = "cop = wb cg cs wt";
const VECTOR = "reads writes strong procedure ; ss = global ; sm_90 8.1";
const POLICY =
  "first = L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged ; second = L2::evict_first L2::evict_unchanged ; sm_80 7.4";
const STORE_SS = "ss = global local param param::func=param shared shared::cta=shared shared::cluster=shared";

export const MEMORY = `
ld{.weak}{.ss}{.cop}{.prefetch}{.policy}{.vec}.type d*vec:type~, [a:ss]{, policy:u64} ; reads moves ; ${LOAD_COP}
ld{.weak}{.ss}.evict{.prefetch}{.policy}{.vec}.type d*vec:type~, [a:ss]{, policy:u64} ; reads moves
ld.volatile{.ss}{.prefetch}{.vec}.type d*vec:type~, [a:ss] ; reads moves strong ; ${COMMON}
ld.sem.scope{.ss}{.evict}{.prefetch}{.policy}{.vec}.type d*vec:type~, [a:ss]{, policy:u64} ; reads moves strong ; sem = relaxed acquire ; ${COMMON}
ld.mmio.relaxed.sys{.ss}.type d:type~, [a:ss] ; reads moves strong ; ss = global
ld.ss{.cop}.nc{.prefetch}{.policy}{.vec}.type d*vec:type~, [a:ss]{, policy:u64} ; reads moves ; ss = global ; cop = ca cg cs
ld.ss.nc.evict{.prefetch}{.policy}{.vec}.type d*vec:type~, [a:ss]{, policy:u64} ; reads moves ; ss = global
ld{.weak}{.ss}{.cop}{.prefetch}{.policy}.v4.type d*4:type~, [a:ss]{, policy:u64} ; reads moves ; ${WIDE4} ; ${LOAD_COP}
ld{.weak}{.ss}{.evict}{.evict2}{.prefetch}{.policy}.v4.type d*4:type~, [a:ss]{, policy:u64} ; reads moves ; ${WIDE4}
ld.ss.nc{.evict}{.evict2}{.prefetch}{.policy}.v4.type d*4:type~, [a:ss]{, policy:u64} ; reads moves ; ${WIDE4}
ld{.weak}{.ss}{.cop}{.prefetch}{.policy}.v8.type d*8:type~, [a:ss]{, policy:u64} ; reads moves ; ${WIDE8} ; ${LOAD_COP}
ld{.weak}{.ss}{.evict}{.evict2}{.prefetch}{.policy}.v8.type d*8:type~, [a:ss]{, policy:u64} ; reads moves ; ${WIDE8}
ld.ss.nc{.evict}{.evict2}{.prefetch}{.policy}.v8.type d*8:type~, [a:ss]{, policy:u64} ; reads moves ; ${WIDE8}
ld.volatile{.ss}{.prefetch}.v4.type d*4:type~, [a:ss] ; reads moves strong ; ${WIDE4}
ld.volatile{.ss}{.prefetch}.v8.type d*8:type~, [a:ss] ; reads moves strong ; ${WIDE8}
ld.sem.scope{.ss}{.evict}{.evict2}{.prefetch}{.policy}.v4.type d*4:type~, [a:ss]{, policy:u64} ; reads moves strong ; sem = relaxed acquire ; ${WIDE4}
ld.sem.scope{.ss}{.evict}{.evict2}{.prefetch}{.policy}.v8.type d*8:type~, [a:ss]{, policy:u64} ; reads moves strong ; sem = relaxed acquire ; ${WIDE8}
ldu{.ss}{.vec}.type d*vec:type~, [a:ss] ; reads moves ; ss = global ; vec = v2 v4
st{.weak}{.ss}{.cop}{.policy}{.vec}.type [a:ss], b*vec:type~{, policy:u64} ; writes moves ; ${STORE_COP} ; ${STORE_SS}
st{.weak}{.ss}.evict{.policy}{.vec}.type [a:ss], b*vec:type~{, policy:u64} ; writes moves ; ${STORE_SS}
st.volatile{.ss}{.vec}.type [a:ss], b*vec:type~ ; writes moves strong ; ${COMMON}
st.sem.scope{.ss}{.evict}{.policy}{.vec}.type [a:ss], b*vec:type~{, policy:u64} ; writes moves strong ; sem = relaxed release ; ${COMMON}
st.mmio.relaxed.sys{.ss}.type [a:ss], b:type~ ; writes moves strong ; ss = global
st{.weak}{.ss}{.cop}{.policy}.v4.type [a:ss], b*4:type~{, policy:u64} ; writes moves ; ${WIDE4} ; ${STORE_COP}
st{.weak}{.ss}{.evict}{.evict2}{.policy}.v4.type [a:ss], b*4:type~{, policy:u64} ; writes moves ; ${WIDE4}
st{.weak}{.ss}{.cop}{.policy}.v8.type [a:ss], b*8:type~{, policy:u64} ; writes moves ; ${WIDE8} ; ${STORE_COP}
st{.weak}{.ss}{.evict}{.evict2}{.policy}.v8.type [a:ss], b*8:type~{, policy:u64} ; writes moves ; ${WIDE8}
st.volatile{.ss}.v4.type [a:ss], b*4:type~ ; writes moves strong ; ${WIDE4}
st.volatile{.ss}.v8.type [a:ss], b*8:type~ ; writes moves strong ; ${WIDE8}
st.sem.scope{.ss}{.evict}{.evict2}{.policy}.v4.type [a:ss], b*4:type~{, policy:u64} ; writes moves strong ; sem = relaxed release ; ${WIDE4}
st.sem.scope{.ss}{.evict}{.evict2}{.policy}.v8.type [a:ss], b*8:type~{, policy:u64} ; writes moves strong ; sem = relaxed release ; ${WIDE8}
prefetch{.ss}.level [a:ss] ; repeatable ; ss = global local ; level = L1 L2
prefetch{.ss}.level [a:ss] ; repeatable ; ss = global ; level = L2::evict_last L2::evict_normal ; sm_80 7.4
prefetchu.L1 [a] ; repeatable
atom{.sem}{.scope}{.ss}.op{.policy}.type d?, [a:ss], b{, policy:u64} ; reads writes atomic strong commutes:op ; op = and or xor ; type = b32 b64 ; ${COMMON}
atom{.sem}{.scope}{.ss}.op{.policy}.type d?, [a:ss], b{, policy:u64} ; reads writes atomic strong ; op = exch ; type = b32 b64 ; ${COMMON}
atom{.sem}{.scope}{.ss}.exch{.policy}.b128 d?, [a:ss], b{, policy:u64} ; reads writes atomic strong ; ${COMMON} ; sm_90 8.3
atom{.sem}{.scope}{.ss}.cas.type d?, [a:ss], b, c ; reads writes atomic strong ; type = b16 b32 b64 ; ${COMMON}
atom{.sem}{.scope}{.ss}.cas.b128 d?, [a:ss], b, c ; reads writes atomic strong ; ${COMMON} ; sm_90 8.3
atom{.sem}{.scope}{.ss}.add{.policy}.type d?, [a:ss], b{, policy:u64} ; reads writes atomic strong commutes:add ; type = u32 s32 u64 f32 f64 ; ${COMMON}
atom{.sem}{.scope}{.ss}.op{.policy}.u32 d?, [a:ss], b{, policy:u64} ; reads writes atomic strong ; op = inc dec ; ${COMMON}
atom{.sem}{.scope}{.ss}.op{.policy}.type d?, [a:ss], b{, policy:u64} ; reads writes atomic strong commutes:op ; op = min max ; type = u32 s32 u64 s64 ; ${COMMON}
atom{.sem}{.scope}{.ss}.add.noftz{.policy}.type d?, [a:ss], b{, policy:u64} ; reads writes atomic strong ; type = f16 f16x2 ; ${COMMON}
atom{.sem}{.scope}{.ss}.add.noftz{.policy}.type d?, [a:ss], b{, policy:u64} ; reads writes atomic strong ; type = bf16 bf16x2 ; ${COMMON} ; sm_90 7.8
atom{.sem}{.scope}{.ss}.add{.policy}.vec.type d*vec?, [a:ss], b*vec{, policy:u64} ; ${VECTOR} ; vec = v2 v4 ; type = f32
atom{.sem}{.scope}{.ss}.op.noftz{.policy}.vec.type d*vec?, [a:ss], b*vec{, policy:u64} ; ${VECTOR} ; op = add min max ; vec = v2 v4 v8 ; type = f16 bf16
atom{.sem}{.scope}{.ss}.op.noftz{.policy}.vec.type d*vec?, [a:ss], b*vec{, policy:u64} ; ${VECTOR} ; op = add min max ; vec = v2 v4 ; type = f16x2 bf16x2
red{.sem}{.scope}{.ss}.add{.policy}.vec.type [a:ss], b*vec{, policy:u64} ; ${VECTOR} ; sem = relaxed release ; vec = v2 v4 ; type = f32
red{.sem}{.scope}{.ss}.op.noftz{.policy}.vec.type [a:ss], b*vec{, policy:u64} ; ${VECTOR} ; sem = relaxed release ; op = add min max ; vec = v2 v4 v8 ; type = f16 bf16
red{.sem}{.scope}{.ss}.op.noftz{.policy}.vec.type [a:ss], b*vec{, policy:u64} ; ${VECTOR} ; sem = relaxed release ; op = add min max ; vec = v2 v4 ; type = f16x2 bf16x2
red{.sem}{.scope}{.ss}.op{.policy}.type [a:ss], b{, policy:u64} ; reads writes atomic strong commutes:op ; sem = relaxed release ; op = and or xor ; type = b32 b64 ; ${COMMON}
red{.sem}{.scope}{.ss}.add{.policy}.type [a:ss], b{, policy:u64} ; reads writes atomic strong commutes:add ; sem = relaxed release ; type = u32 s32 u64 f32 f64 ; ${COMMON}
red{.sem}{.scope}{.ss}.op{.policy}.u32 [a:ss], b{, policy:u64} ; reads writes atomic strong ; sem = relaxed release ; op = inc dec ; ${COMMON}
red{.sem}{.scope}{.ss}.op{.policy}.type [a:ss], b{, policy:u64} ; reads writes atomic strong commutes:op ; sem = relaxed release ; op = min max ; type = u32 s32 u64 s64 ; ${COMMON}
red{.sem}{.scope}{.ss}.add.noftz{.policy}.type [a:ss], b{, policy:u64} ; reads writes atomic strong ; sem = relaxed release ; type = f16 f16x2 ; ${COMMON}
red{.sem}{.scope}{.ss}.add.noftz{.policy}.type [a:ss], b{, policy:u64} ; reads writes atomic strong ; sem = relaxed release ; type = bf16 bf16x2 ; ${COMMON} ; sm_90 7.8
membar.level ; repeatable ; level = cta gl sys
fence{.sem}.scope ; repeatable ; sem = sc acq_rel
fence.sem.scope ; repeatable ; sem = acquire release
fence.sem.part.cluster ; repeatable ; sem = acquire ; part = sync_restrict::shared::cluster ; sm_90 8.6
fence.sem.part.cluster ; repeatable ; sem = release ; part = sync_restrict::shared::cta ; sm_90 8.6
fence.proxy.kind ; repeatable ; kind = alias ; 7.5
fence.proxy.kind{.ss} ; repeatable ; kind = async ; ss = global shared::cta=shared shared::cluster=shared ; sm_90 8.0
membar.proxy.kind ; repeatable ; kind = alias ; 7.5
membar.proxy.kind{.ss} ; repeatable ; kind = async ; ss = global shared::cta=shared shared::cluster=shared ; sm_90 8.0
cp.async.cop.to.global{.policy}{.prefetch} [d:shared], [a:global], size:#4/8/16{, b:u32}{, policy:u64} ; reads writes ; cop = ca ; to = shared shared::cta=shared ; sm_80 7.0
cp.async.cop.to.global{.policy}{.prefetch} [d:shared], [a:global], size:#16{, b:u32}{, policy:u64} ; reads writes ; cop = cg ; to = shared shared::cta=shared ; sm_80 7.0
cp.async.cop.to.global{.policy}{.prefetch} [d:shared], [a:global], size:#4/8/16, ignored:pred{, policy:u64} ; reads writes ; cop = ca ; to = shared shared::cta=shared ; sm_80 7.5
cp.async.cop.to.global{.policy}{.prefetch} [d:shared], [a:global], size:#16, ignored:pred{, policy:u64} ; reads writes ; cop = cg ; to = shared shared::cta=shared ; sm_80 7.5
alloca.type d, size:type{, align:#} ; writes ; type = u32 u64 ; sm_52 7.3
stacksave.type d ; reads ; type = u32 u64 ; sm_52 7.3
stackrestore.type a ; writes ; type = u32 u64 ; sm_52 7.3
createpolicy.fractional.first{.second}.b64 d:b64{, fraction:f32} ; repeatable procedure ; ${POLICY}
createpolicy.range{.global}.first{.second}.b64 d:b64, [a:global], primary:u32, total:u32 ; repeatable procedure ; ${POLICY}
createpolicy.cvt.L2.b64 d:b64, property:b64 ; repeatable procedure ; sm_80 7.4
applypriority{.global}.L2::evict_normal [a:global], size:#128 ; repeatable ; sm_80 7.4
discard{.global}.L2 [a:global], size:#128 ; repeatable ; sm_80 7.4
cp.async.commit_group ; repeatable ; sm_80 7.0
cp.async.wait_group n:# ; repeatable ; sm_80 7.0
cp.async.wait_all ; repeatable ; sm_80 7.0
`;
