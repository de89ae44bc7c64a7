// Loads, stores, atomic operations, fences and asynchronous copies (PTX ISA, Data Movement and Conversion Instructions;
// Parallel Synchronization and Communication Instructions). Hints to caches are read and mean nothing.

export const MEMORY = `
ld{.weak}{.ss}{.cop}{.evict}{.evict2}{.hint}{.prefetch}{.vec}.type d*vec:type~, [a:ss]{, policy:b64} ; cop = ca cg cs lu cv
ld.volatile{.ss}{.prefetch}{.vec}.type d*vec:type~, [a:ss]
ld.sem.scope{.ss}{.evict}{.evict2}{.hint}{.prefetch}{.vec}.type d*vec:type~, [a:ss]{, policy:b64} ; sem = relaxed acquire
ld.mmio.relaxed.sys{.ss}.type d:type~, [a:ss]
ld.ss{.cop}.nc{.evict}{.evict2}{.hint}{.prefetch}{.vec}.type d*vec:type~, [a:ss]{, policy:b64} ; ss = global ; cop = ca cg cs
ldu{.ss}{.vec}.type d*vec:type~, [a:ss] ; ss = global
st{.weak}{.ss}{.cop}{.evict}{.evict2}{.hint}{.vec}.type [a:ss], b*vec:type~{, policy:b64} ; cop = wb cg cs wt
st.volatile{.ss}{.vec}.type [a:ss], b*vec:type~
st.sem.scope{.ss}{.evict}{.evict2}{.hint}{.vec}.type [a:ss], b*vec:type~{, policy:b64} ; sem = relaxed release
st.mmio.relaxed.sys{.ss}.type [a:ss], b:type~
prefetch{.ss}.level [a:ss] ; ss = global local ; level = L1 L2
prefetch.global.level [a:global] ; level = L2::evict_last L2::evict_normal
prefetchu.L1 [a]
atom{.sem}{.scope}{.ss}.op{.hint}.type d?, [a:ss], b{, policy:b64} ; op = and or xor exch ; type = b32 b64
atom{.sem}{.scope}{.ss}.exch{.hint}.b128 d?, [a:ss], b{, policy:b64} ; sm_90 8.3
atom{.sem}{.scope}{.ss}.cas{.hint}.type d?, [a:ss], b, c{, policy:b64} ; type = b16 b32 b64
atom{.sem}{.scope}{.ss}.cas{.hint}.b128 d?, [a:ss], b, c{, policy:b64} ; sm_90 8.3
atom{.sem}{.scope}{.ss}.add{.hint}.type d?, [a:ss], b{, policy:b64} ; type = u32 s32 u64 f32 f64
atom{.sem}{.scope}{.ss}.op{.hint}.u32 d?, [a:ss], b{, policy:b64} ; op = inc dec
atom{.sem}{.scope}{.ss}.op{.hint}.type d?, [a:ss], b{, policy:b64} ; op = min max ; type = u32 s32 u64 s64
atom{.sem}{.scope}{.ss}.add.noftz{.hint}.type d?, [a:ss], b{, policy:b64} ; type = f16 f16x2
atom{.sem}{.scope}{.ss}.add.noftz{.hint}.type d?, [a:ss], b{, policy:b64} ; type = bf16 bf16x2 ; sm_90 7.8
red{.sem}{.scope}{.ss}.op{.hint}.type [a:ss], b{, policy:b64} ; op = and or xor ; type = b32 b64
red{.sem}{.scope}{.ss}.add{.hint}.type [a:ss], b{, policy:b64} ; type = u32 s32 u64 f32 f64
red{.sem}{.scope}{.ss}.op{.hint}.u32 [a:ss], b{, policy:b64} ; op = inc dec
red{.sem}{.scope}{.ss}.op{.hint}.type [a:ss], b{, policy:b64} ; op = min max ; type = u32 s32 u64 s64
red{.sem}{.scope}{.ss}.add.noftz{.hint}.type [a:ss], b{, policy:b64} ; type = f16 f16x2
red{.sem}{.scope}{.ss}.add.noftz{.hint}.type [a:ss], b{, policy:b64} ; type = bf16 bf16x2 ; sm_90 7.8
membar.level ; level = cta gl sys
fence{.sem}.scope ; sem = sc acq_rel
fence.sem.scope ; sem = acquire release ; sm_90 8.6
fence.proxy.kind ; kind = alias ; 7.5
fence.proxy.kind{.ss} ; kind = async ; ss = global shared::cta=shared shared::cluster=shared ; sm_90 8.0
cp.async.cop.shared.global{.hint}{.prefetch} [d:shared], [a:global], size:#4/8/16{, b:u32}{, policy:b64} ; cop = ca ; sm_80 7.0
cp.async.cop.shared.global{.hint}{.prefetch} [d:shared], [a:global], size:#16{, b:u32}{, policy:b64} ; cop = cg ; sm_80 7.0
cp.async.cop.shared::cta.global{.hint}{.prefetch} [d:shared], [a:global], size:#4/8/16{, b:u32}{, policy:b64} ; cop = ca ; sm_80 7.0
cp.async.cop.shared::cta.global{.hint}{.prefetch} [d:shared], [a:global], size:#16{, b:u32}{, policy:b64} ; cop = cg ; sm_80 7.0
cp.async.commit_group ; sm_80 7.0
cp.async.wait_group n:# ; sm_80 7.0
cp.async.wait_all ; sm_80 7.0
`;
