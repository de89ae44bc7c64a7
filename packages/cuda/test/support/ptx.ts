// Small PTX modules for the tests.

/** A module with one kernel that adds a number to itself. */
export function module(name = "scale", body = ""): string {
  return `.version 7.5
.target sm_75
.address_size 64

.visible .entry ${name}(
	.param .u64 ${name}_param_0
)
{
	.reg .f32 	%f<4>;
	.reg .b64 	%rd<4>;
	ld.param.u64 	%rd1, [${name}_param_0];
	cvta.to.global.u64 	%rd2, %rd1;
	ld.global.f32 	%f1, [%rd2];
	add.f32 	%f2, %f1, %f1;
${body}	st.global.f32 	[%rd2], %f2;
	ret;
}
`;
}

/**
 * A module of many kernels: it compiles for about a second per thousand kernels, and the compiler asks
 * between them whether to continue.
 */
export function slowModule(kernels: number): string {
  const [head, entry] = module("k").split("\n\n", 2) as [string, string];
  return `${head}\n\n${Array.from({ length: kernels }, (_, i) => entry.replaceAll(/\bk(?=[_(])/g, `k${i}`)).join("\n")}`;
}

/**
 * Straight-line code with hundreds of live values, on which the compiler works for seconds without asking.
 */
export function stubbornModule(instructions: number, live: number): string {
  const lines: string[] = [];
  for (let i = 0; i < instructions; i++) {
    lines.push(
      `	fma.rn.f32 	%v${i % live}, %v${(i * 7 + 3) % live}, %v${(i * 13 + 5) % live}, %v${i % live};\n`,
    );
  }
  const load = Array.from({ length: live }, (_, i) => `	ld.global.f32 	%v${i}, [%rd2+${4 * i}];\n`).join(
    "",
  );
  const store = Array.from({ length: live }, (_, i) => `	st.global.f32 	[%rd2+${4 * i}], %v${i};\n`).join(
    "",
  );
  return module("stubborn", `	.reg .f32 	%v<${live}>;\n${load}${lines.join("")}${store}`);
}
