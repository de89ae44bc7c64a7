// Kernels with a site `func`, and stubs of small programs, for measuring packs.

import { generator } from "./random.mjs";

const OPERATIONS = ["add", "sub", "mul", "min", "max"];
const TEMPORARIES = 4;

/** A kernel with a site. The instructions of `index` put the index of a value into `%r4`. */
const kernel = (index) => `.version 8.0
.target sm_75
.address_size 64

.visible .entry evaluate_expression(
	.param .u64 evaluate_expression_param_0,
	.param .u64 evaluate_expression_param_1
)
{
	.reg .f32 	%f<4>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<8>;

	ld.param.u64 	%rd1, [evaluate_expression_param_0];
	ld.param.u64 	%rd2, [evaluate_expression_param_1];
${index}
	cvta.to.global.u64 	%rd3, %rd1;
	mul.wide.u32 	%rd4, %r4, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.f32 	%f1, [%rd5];
	// begin inline asm
	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}
	// end inline asm
	cvta.to.global.u64 	%rd6, %rd2;
	add.s64 	%rd7, %rd6, %rd4;
	st.global.f32 	[%rd7], %f2;
	ret;
}
`;
/** About 1 KB. */
export const GRID_KERNEL = kernel(`	mov.u32 	%r1, %ctaid.y;
	mov.u32 	%r2, %ntid.x;
	mov.u32 	%r3, %tid.x;
	mad.lo.s32 	%r4, %r1, %r2, %r3;`);
/** A kernel that contains little more than the site. */
export const SMALL_KERNEL = kernel("\tmov.u32 \t%r4, %tid.x;");

/** A stub of dependent instructions, each of which uses the result of the one before it. */
export function programStub(seed, instructions) {
  const random = generator(seed * 2654435761 + 1);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const written = new Set(["%_x1"]);
  const lines = [];
  let last = "%_x1";
  for (let i = 1; i <= instructions; i++) {
    const target = i === instructions ? "%_x0" : `%t${Math.floor(random() * TEMPORARIES)}`;
    const constant = `0f3F${Math.floor(random() * 0xffffff)
      .toString(16)
      .padStart(6, "0")}`;
    const other = random() < 0.5 ? pick([...written]) : constant;
    lines.push(`\t${pick(OPERATIONS)}.ftz.f32 ${target}, ${last}, ${other};`);
    written.add(target);
    last = target;
  }
  const text = `\t{\n\t.reg .f32 %t<${TEMPORARIES}>;\n${lines.join("\n")}\n\t}`;
  // A flat string, because V8 would flatten a concatenated text during the measurement.
  return Buffer.from(text, "latin1").latin1Slice();
}
