// Instructions on f32 and f64 (PTX ISA, Floating-Point Instructions).

export const FLOAT = `
add{.rnd}{.ftz}{.sat}.f32 d, a, b ; repeatable cheap canonical
add{.rnd}.f64 d, a, b ; repeatable cheap
sub{.rnd}{.ftz}{.sat}.f32 d, a, b ; repeatable cheap canonical
sub{.rnd}.f64 d, a, b ; repeatable cheap
mul{.rnd}{.ftz}{.sat}.f32 d, a, b ; repeatable cheap canonical
mul{.rnd}.f64 d, a, b ; repeatable cheap
fma.rnd{.ftz}{.sat}.f32 d, a, b, c ; repeatable canonical fuses
fma.rnd.f64 d, a, b, c ; repeatable fuses
mad.rnd{.ftz}{.sat}.f32 d, a, b, c ; repeatable cheap canonical fuses
mad.rnd.f64 d, a, b, c ; repeatable cheap fuses
add{.rnd}{.ftz}.f32x2 d, a, b ; repeatable ; sm_100 8.6
sub{.rnd}{.ftz}.f32x2 d, a, b ; repeatable ; sm_100 8.6
mul{.rnd}{.ftz}.f32x2 d, a, b ; repeatable ; sm_100 8.6
fma.rnd{.ftz}.f32x2 d, a, b, c ; repeatable fuses ; sm_100 8.6
add{.rnd}{.sat}.f32.atype d, a:atype, c ; repeatable canonical ; atype = f16 bf16 ; sm_100 8.6
sub{.rnd}{.sat}.f32.atype d, a:atype, c ; repeatable canonical ; atype = f16 bf16 ; sm_100 8.6
fma.rnd{.sat}.f32.abtype d, a:abtype, b:abtype, c ; repeatable canonical fuses ; abtype = f16 bf16 ; sm_100 8.6
div.approx{.ftz}.f32 d, a, b ; repeatable canonical
div.full{.ftz}.f32 d, a, b ; repeatable canonical
div.rnd{.ftz}.f32 d, a, b ; repeatable canonical
div.rnd.f64 d, a, b ; repeatable
abs{.ftz}.f32 d, a ; repeatable canonical
abs.f64 d, a ; repeatable
neg{.ftz}.f32 d, a ; repeatable cheap canonical
neg.f64 d, a ; repeatable cheap
min{.ftz}{.NaN}.f32 d, a, b ; repeatable cheap canonical
max{.ftz}{.NaN}.f32 d, a, b ; repeatable cheap canonical
min{.ftz}{.NaN}.xorsign.abs.f32 d, a, b ; repeatable cheap canonical ; sm_86 7.2
max{.ftz}{.NaN}.xorsign.abs.f32 d, a, b ; repeatable cheap canonical ; sm_86 7.2
min{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; repeatable canonical ; sm_100 8.8
max{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; repeatable canonical ; sm_100 8.8
min.f64 d, a, b ; repeatable cheap
max.f64 d, a, b ; repeatable cheap
rcp.approx{.ftz}.f32 d, a ; repeatable canonical
rcp.rnd{.ftz}.f32 d, a ; repeatable canonical
rcp.rnd.f64 d, a ; repeatable
rcp.approx.ftz.f64 d, a ; repeatable
sqrt.approx{.ftz}.f32 d, a ; repeatable canonical
sqrt.rnd{.ftz}.f32 d, a ; repeatable canonical
sqrt.rnd.f64 d, a ; repeatable
rsqrt.approx{.ftz}.f32 d, a ; repeatable canonical elementary
rsqrt.approx{.ftz}.f64 d, a ; repeatable
sin.approx{.ftz}.f32 d, a ; repeatable canonical elementary
cos.approx{.ftz}.f32 d, a ; repeatable canonical elementary
lg2.approx{.ftz}.f32 d, a ; repeatable canonical elementary
ex2.approx{.ftz}.f32 d, a ; repeatable canonical elementary
tanh.approx.f32 d, a ; repeatable canonical elementary
testp.op.type p, a ; repeatable ; op = finite infinite number notanumber normal subnormal ; type = f32 f64
copysign.type d, a, b ; repeatable ; type = f32 f64
`;
