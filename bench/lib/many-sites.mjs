// A module of several kernels with many sites each, for measuring against programs that are packed automatically.

import { parsePtx } from "@mm-ptx/inject";

const site = (kernel, number, end = `	st.global.f32 [%rd7+${4096 * number}], %f2;`) => `	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
	// PTX_INJECT_START func_${kernel}_${number}
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}
${end}`;

/** Each thread runs all sites on one value, and each site has its own row of results. */
const inSeries = (kernel, sites) => Array.from({ length: sites }, (_, i) => site(kernel, i)).join("\n");

/** Each site takes the result of the one before. */
function inChain(kernel, sites) {
  const all = Array.from({ length: sites }, (_, i) => site(kernel, i, "\tmov.f32 %f1, %f2;"));
  return `${all.join("\n")}\n\tst.global.f32 [%rd7], %f1;`;
}

/** Each block runs the site of its number. */
function asBranches(kernel, sites) {
  const labels = Array.from({ length: sites }, (_, i) => `$site_${kernel}_${i}`);
  return `	mov.u32 %r2, %ctaid.x;
$sites_${kernel}: .branchtargets ${labels.join(", ")};
	brx.idx %r2, $sites_${kernel};
${labels.map((label, i) => `${label}:\n${site(kernel, i)}\n\tbra $done_${kernel};`).join("\n")}
$done_${kernel}:`;
}

const entry = (kernel, body) => `.visible .entry evaluate_${kernel}(
	.param .u64 evaluate_${kernel}_param_0,
	.param .u64 evaluate_${kernel}_param_1
)
{
	.reg .f32 	%f<4>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<8>;

	ld.param.u64 	%rd1, [evaluate_${kernel}_param_0];
	ld.param.u64 	%rd2, [evaluate_${kernel}_param_1];
	mov.u32 	%r1, %tid.x;
	cvta.to.global.u64 	%rd3, %rd1;
	mul.wide.u32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.f32 	%f1, [%rd5];
	cvta.to.global.u64 	%rd6, %rd2;
	add.s64 	%rd7, %rd6, %rd4;
${body}
	ret;
}
`;

const BODIES = { series: inSeries, chain: inChain, branches: asBranches };

/**
 * @param {number} kernels
 * @param {number} sites in each kernel
 * @param {"series" | "chain" | "branches"} form how the sites of a kernel follow each other
 */
export function manySites(kernels, sites, form) {
  const body = BODIES[form];
  const entries = Array.from({ length: kernels }, (_, i) => entry(i, body(i, sites)));
  return parsePtx(`.version 8.0\n.target sm_75\n.address_size 64\n\n${entries.join("\n")}`);
}
