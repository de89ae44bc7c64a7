// Instructions on f32 and f64 (PTX ISA, Floating-Point Instructions).

export const FLOAT = `
add{.rnd}{.ftz}{.sat}.f32 d, a, b
add{.rnd}.f64 d, a, b
sub{.rnd}{.ftz}{.sat}.f32 d, a, b
sub{.rnd}.f64 d, a, b
mul{.rnd}{.ftz}{.sat}.f32 d, a, b
mul{.rnd}.f64 d, a, b
fma.rnd{.ftz}{.sat}.f32 d, a, b, c
fma.rnd.f64 d, a, b, c
mad.rnd{.ftz}{.sat}.f32 d, a, b, c
mad.rnd.f64 d, a, b, c
add{.rnd}{.ftz}.f32x2 d, a, b ; sm_100 8.6
sub{.rnd}{.ftz}.f32x2 d, a, b ; sm_100 8.6
mul{.rnd}{.ftz}.f32x2 d, a, b ; sm_100 8.6
fma.rnd{.ftz}.f32x2 d, a, b, c ; sm_100 8.6
add{.rnd}{.sat}.f32.atype d, a:atype, c ; atype = f16 bf16 ; sm_100 8.6
sub{.rnd}{.sat}.f32.atype d, a:atype, c ; atype = f16 bf16 ; sm_100 8.6
fma.rnd{.sat}.f32.abtype d, a:abtype, b:abtype, c ; abtype = f16 bf16 ; sm_100 8.6
div.approx{.ftz}.f32 d, a, b
div.full{.ftz}.f32 d, a, b
div.rnd{.ftz}.f32 d, a, b
div.rnd.f64 d, a, b
abs{.ftz}.f32 d, a
abs.f64 d, a
neg{.ftz}.f32 d, a
neg.f64 d, a
min{.ftz}{.NaN}.f32 d, a, b
max{.ftz}{.NaN}.f32 d, a, b
min{.ftz}{.NaN}.xorsign.abs.f32 d, a, b ; sm_86 7.2
max{.ftz}{.NaN}.xorsign.abs.f32 d, a, b ; sm_86 7.2
min{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; sm_100 8.8
max{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; sm_100 8.8
min.f64 d, a, b
max.f64 d, a, b
rcp.approx{.ftz}.f32 d, a
rcp.rnd{.ftz}.f32 d, a
rcp.rnd.f64 d, a
rcp.approx.ftz.f64 d, a
sqrt.approx{.ftz}.f32 d, a
sqrt.rnd{.ftz}.f32 d, a
sqrt.rnd.f64 d, a
rsqrt.approx{.ftz}.f32 d, a
rsqrt.approx{.ftz}.f64 d, a
sin.approx{.ftz}.f32 d, a
cos.approx{.ftz}.f32 d, a
lg2.approx{.ftz}.f32 d, a
ex2.approx{.ftz}.f32 d, a
tanh.approx.f32 d, a
testp.op.type p, a ; op = finite infinite number notanumber normal subnormal ; type = f32 f64
copysign.type d, a, b ; type = f32 f64
`;
