// Instructions on f16, bf16 and pairs of them (PTX ISA, Half Precision Floating-Point Instructions). They only round to
// nearest even (`rn`).

export const HALF = `
add{.rn}{.ftz}{.sat}.type d, a, b ; repeatable ; type = f16 f16x2
add{.rn}.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_90 7.8
sub{.rn}{.ftz}{.sat}.type d, a, b ; repeatable ; type = f16 f16x2
sub{.rn}.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_90 7.8
mul{.rn}{.ftz}{.sat}.type d, a, b ; repeatable ; type = f16 f16x2
mul{.rn}.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_90 7.8
fma.rn{.ftz}{.sat}.type d, a, b, c ; repeatable fuses ; type = f16 f16x2
fma.rn{.ftz}.relu.type d, a, b, c ; repeatable fuses ; type = f16 f16x2 ; sm_80 7.0
fma.rn{.relu}.type d, a, b, c ; repeatable fuses ; type = bf16 bf16x2 ; sm_80 7.0
neg{.ftz}.type d, a ; repeatable ; type = f16 f16x2
neg.type d, a ; repeatable ; type = bf16 bf16x2 ; sm_80 7.0
abs{.ftz}.type d, a ; repeatable ; type = f16 f16x2
abs.type d, a ; repeatable ; type = bf16 bf16x2 ; sm_80 7.0
min{.ftz}{.NaN}.type d, a, b ; repeatable ; type = f16 f16x2 ; sm_80 7.0
max{.ftz}{.NaN}.type d, a, b ; repeatable ; type = f16 f16x2 ; sm_80 7.0
min{.NaN}.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_80 7.0
max{.NaN}.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_80 7.0
min{.ftz}{.NaN}.xorsign.abs.type d, a, b ; repeatable ; type = f16 f16x2 ; sm_86 7.2
max{.ftz}{.NaN}.xorsign.abs.type d, a, b ; repeatable ; type = f16 f16x2 ; sm_86 7.2
min{.NaN}.xorsign.abs.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_86 7.2
max{.NaN}.xorsign.abs.type d, a, b ; repeatable ; type = bf16 bf16x2 ; sm_86 7.2
tanh.approx.type d, a ; repeatable ; type = f16 f16x2 ; sm_75 7.0
tanh.approx.type d, a ; repeatable ; type = bf16 bf16x2 ; sm_90 7.8
ex2.approx.type d, a ; repeatable ; type = f16 f16x2 ; sm_75 7.0
ex2.approx.ftz.type d, a ; repeatable ; type = bf16 bf16x2 ; sm_90 7.8
`;
