// Kernels of a few lines with one site, of which tests change a part.
import { type AnnotatedPtx, parsePtx } from "@mm-ptx/inject";
import { choosePacking } from "../../../src/packing/choose.js";
import type { PackQuestion } from "../../../src/packing/question.js";

/** The site `func`, which computes %f2 from %f1. */
export const SITE = `	{
	.reg .f32 %_x0;
	.reg .f32 %_x1;
	mov.f32 %_x1, %f1;
	// PTX_INJECT_START func
	// _x0 o f32 F32 z
	// _x1 i f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}`;

/** The parts of a kernel with the parameters in, out and n, of which `out` is %rd2 and its element is at %rd5. */
export interface Parts {
  /** After the header of the module. */
  readonly module?: string;
  /** After the parameters. */
  readonly directives?: string;
  readonly parameters?: string;
  /** The loads of parameters. */
  readonly loads?: string;
  /** Before the site. */
  readonly before?: string;
  readonly site?: string;
  /** After the site. */
  readonly after?: string;
  /** The store of the result. */
  readonly store?: string;
  readonly version?: string;
}

export const LOADS = `	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	ld.param.u32 %r1, [n];`;

/** A kernel that computes out[i] = func(in[i]) for each thread. */
export function kernelWith({
  module = "",
  directives = "",
  parameters = ".param .u64 in, .param .u64 out, .param .u32 n",
  loads = LOADS,
  before = "",
  site = SITE,
  after = "",
  store = "	st.global.f32 [%rd5], %f2;",
  version = "8.0",
}: Parts): AnnotatedPtx {
  return parsePtx(`.version ${version}
.target sm_90
.address_size 64
${module}
.visible .entry kernel(${parameters})${directives}
{
	.reg .pred %p<9>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<19>;
${loads}
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd3, %r2, 4;
	add.u64 %rd4, %rd1, %rd3;
	add.u64 %rd5, %rd2, %rd3;
	ld.global.f32 %f1, [%rd4];
${before}
${site}
${after}
${store}
$done:
	ret;
}
`);
}

/** How programs of such a kernel can be packed, whose parameter `out` is an output. */
export const ask = (parts: Parts, question: Partial<PackQuestion> = {}) =>
  choosePacking({
    ...{ annotated: kernelWith(parts), entry: "kernel", sites: ["func"] },
    ...{ grid: [4, 1, 1], perAlternative: [false, true, false] },
    ...question,
  });

/** A function that doubles a value, and a call of it with %f1. */
export const FUNCTION = `.func (.param .b32 result) twice(.param .b32 value)
{
	.reg .f32 %f<3>;
	ld.param.f32 %f1, [value];
	add.f32 %f2, %f1, %f1;
	st.param.f32 [result], %f2;
	ret;
}
`;
export const CALL = `	{
	.param .b32 argument;
	.param .b32 returned;
	st.param.f32 [argument], %f1;
	call.uni (returned), twice, (argument);
	ld.param.f32 %f1, [returned];
	}`;
export const SHARED = ".shared .align 4 .b8 tile[1024];";
