// PTX of kernels that launch kernels, as nvcc writes it.

/** The entry points of libcudadevrt as nvcc declares them. */
export const DECLARED = `
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2
(.param .b64 kernel, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2GetLastError();
.extern .func (.param .b32 r) __cudaCDP2PeekAtLastError();
.extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags(.param .b64 stream, .param .b32 flags);
.extern .func (.param .b32 r) __cudaCDP2StreamDestroy(.param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2EventCreateWithFlags(.param .b64 event, .param .b32 flags);
.extern .func (.param .b32 r) __cudaCDP2EventRecord(.param .b64 event, .param .b64 stream);
.extern .func (.param .b32 r) __cudaCDP2StreamWaitEvent(.param .b64 stream, .param .b64 event, .param .b32 flags);
.extern .func (.param .b32 r) __cudaCDP2EventDestroy(.param .b64 event);
.extern .func (.param .b32 r) __cudaCDP2GetDevice(.param .b64 device);
.extern .func (.param .b32 r) __cudaCDP2DeviceGetAttribute(.param .b64 value, .param .b32 name, .param .b32 device);
.extern .func (.param .b32 r) __cudaCDP2DeviceGetLimit(.param .b64 value, .param .b32 limit);
.extern .func (.param .b32 r) __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor
(.param .b64 value, .param .b64 kernel, .param .b32 threads, .param .b64 shared);
.extern .func (.param .b32 r) __cudaCDP2Malloc(.param .b64 address, .param .b64 bytes);
.extern .func (.param .b32 r) __cudaCDP2Free(.param .b64 address);
.extern .func (.param .b32 r) __cudaCDP2MemcpyAsync
(.param .b64 to, .param .b64 from, .param .b64 bytes, .param .b32 kind, .param .b64 stream);
`;

/** An argument of a call. */
export type Size = readonly [type: "b32" | "b64", value: number | string];

let calls = 0;
/** A call with arguments that are values or registers; its result goes to a register. */
export function call(name: string, args: readonly Size[], result = "%r9", type: Size[0] = "b32"): string {
  const id = `c${calls++}`;
  return `{
	${args.map(([size], i) => `.param .${size} ${id}a${i};`).join(" ")}
	.param .${type} ${id}r;
	${args.map(([size, value], i) => `st.param.${size} [${id}a${i}], ${value};`).join("\n\t")}
	call.uni (${id}r), ${name}, (${args.map((_, i) => `${id}a${i}`).join(", ")});
	ld.param.${type} ${result}, [${id}r];
	}`;
}

/** How a kernel is launched. */
export interface Launched {
  readonly grid?: readonly [number, number, number];
  readonly block?: readonly [number, number, number];
  readonly shared?: number;
  readonly stream?: number | string;
  /** Each parameter of the kernel with its offset. */
  readonly params: readonly (readonly [offset: number, type: string, value: string | number])[];
}

/** What nvcc makes of \`kernel<<<grid, block, shared, stream>>>(params)\`. The error goes to %r8. */
export function launch(kernel: string, { grid, block, shared = 0, stream = 0, params }: Launched): string {
  const id = `l${calls++}`;
  const dim3 = (name: string, [x, y, z]: readonly number[]) =>
    `.param .align 4 .b8 ${name}[12]; st.param.b32 [${name}], ${x}; st.param.b32 [${name}+4], ${y}; st.param.b32 [${name}+8], ${z};`;
  return `
	mov.u64 %rd7, ${kernel};
	{
	.param .b64 ${id}k; st.param.b64 [${id}k], %rd7;
	${dim3(`${id}g`, grid ?? [1, 1, 1])}
	${dim3(`${id}b`, block ?? [1, 1, 1])}
	.param .b32 ${id}s; st.param.b32 [${id}s], ${shared};
	.param .b64 ${id}r;
	call.uni (${id}r), __cudaCDP2GetParameterBufferV2, (${id}k, ${id}g, ${id}b, ${id}s);
	ld.param.b64 %rd8, [${id}r];
	}
	${params.map(([offset, type, value]) => `st.${type} [%rd8+${offset}], ${value};`).join("\n\t")}
	${call(
    "__cudaCDP2LaunchDeviceV2",
    [
      ["b64", "%rd8"],
      ["b64", stream],
    ],
    "%r8",
  )}`;
}

export const HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n";
const REGISTERS = ".reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .pred %p<4>;";

export const entry = (name: string, body: string, params = ".param .u64 list, .param .u32 value") => `
.visible .entry ${name}(${params})
{
	.local .align 8 .b8 place[16];
	${REGISTERS}
	ld.param.u64 %rd1, [list];
	${params.includes("value") ? "ld.param.u32 %r1, [value];" : ""}
	${body}
$end_${name}:
	ret;
}
`;

/** Adds a value to a list that begins with its length. */
export const APPEND = entry(
  "append",
  "atom.global.add.u32 %r2, [%rd1], 1; mad.wide.u32 %rd2, %r2, 4, %rd1; st.global.u32 [%rd2+4], %r1;",
);
export const append = (value: string | number, more: Partial<Launched> = {}): string =>
  launch("append", {
    ...more,
    params: [
      [0, "u64", "%rd1"],
      [8, "u32", value],
    ],
  });
export const FIRST = "mov.u32 %r10, %tid.x; setp.ne.u32 %p1, %r10, 0;";
export const immediate = (value: number): string => `mov.u32 %r3, ${value};`;
export const appending = (value: number, more?: Partial<Launched>): string =>
  `${immediate(value)} ${append("%r3", more)}`;
