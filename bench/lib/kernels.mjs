// PTX kernels of a given length: straight-line f32 code with a few live values. The same seed gives the same
// text.

import { generator } from "./random.mjs";

const OPERATIONS = ["add.ftz.f32", "sub.ftz.f32", "mul.ftz.f32", "min.ftz.f32", "max.ftz.f32"];
const LIVE = 8;

/** A module with one kernel of `instructions` arithmetic instructions of about 30 bytes each. */
export function straightLineKernel(seed, instructions) {
  const random = generator(seed * 2654435761 + 1);
  const next = (limit) => Math.floor(random() * limit);
  const lines = [];
  for (let i = 0; i < instructions; i++) {
    const operation = OPERATIONS[next(OPERATIONS.length)];
    lines.push(`\t${operation} \t%f${next(LIVE)}, %f${next(LIVE)}, %f${next(LIVE)};`);
  }
  const loads = Array.from({ length: LIVE }, (_, i) => `\tld.global.f32 \t%f${i}, [%rd2+${4 * i}];`);
  const stores = Array.from({ length: LIVE }, (_, i) => `\tst.global.f32 \t[%rd2+${4 * i}], %f${i};`);
  return `.version 8.0
.target sm_75
.address_size 64

.visible .entry kernel${seed}(
	.param .u64 kernel${seed}_param_0
)
{
	.reg .f32 	%f<${LIVE}>;
	.reg .b64 	%rd<3>;
	ld.param.u64 	%rd1, [kernel${seed}_param_0];
	cvta.to.global.u64 	%rd2, %rd1;
${[...loads, ...lines, ...stores].join("\n")}
	ret;
}
`;
}
