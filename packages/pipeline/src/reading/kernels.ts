// The kernels that compute scores. A block of 128 threads reduces one part of the output of one program: thread t takes the elements t,
// t + 128, t + 256 ... of the part in this order, and a tree adds the results of the threads. All threads take the same number of steps,
// and those without an element take a zero, which changes no result: the emulator runs threads faster that stay together.
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { elementOf } from "./elements.js";
import type { ErrorReading } from "./reading.js";

/** The name of the kernels. */
export const KERNEL = "mm_ptx_score";

/** The threads of a block. */
export const THREADS = 128;

/** The elements that one block reduces. The host combines the parts of a program in order. */
export const PART = 65_536;

/** What a kernel computes of each element, and how results are combined. */
interface Score {
  /** Parameters after those that all kernels have. */
  readonly parameters: readonly string[];
  readonly registers: readonly string[];
  /** Before the loop; `%first` is the address of the program's part of the output. */
  readonly setup: readonly string[];
  /** For each element: computes `%term` of element `%index`, if `%inside`. */
  readonly term: readonly string[];
  /** The instruction that combines two 64-bit results. Zero changes no result. */
  readonly combine: string;
}

const squares = { term: ["mul.rn.f64 %term, %difference, %difference;"], combine: "add.rn.f64" };
const absolute = "and.b64 %term, %difference, 0x7fffffffffffffff;";
const ERRORS: Readonly<Record<ErrorReading["kind"], Pick<Score, "term" | "combine">>> = {
  squaredError: squares,
  absoluteError: { term: [absolute], combine: "add.rn.f64" },
  // Without their signs, the bits of floating-point numbers are ordered as the numbers are, and NaNs are above all others.
  maximumError: { term: [absolute], combine: "max.u64" },
};

/** The kernel of an error against a target, for outputs of this class. */
export function errorKernel({ kind, format }: ErrorReading, elements: TypedArrayClass<TypedArray>): string {
  const { register, load, convert } = elementOf(elements, format)!;
  const { term, combine } = ERRORS[kind];
  return kernelText({
    parameters: [".param .u64 target"],
    registers: [
      `.reg .${register} %raw;`,
      ".reg .b32 %bits, %float;",
      ".reg .b64 %target, %value, %wanted, %difference;",
    ],
    setup: ["ld.param.u64 %target, [target];", "cvta.to.global.u64 %target, %target;"],
    term: [
      `mov.${register} %raw, 0;`,
      "mov.b64 %wanted, 0;",
      ...loadOf("%raw", load, "%first", elements.BYTES_PER_ELEMENT),
      ...loadOf("%wanted", "f64", "%target", 8),
      ...convert,
      "sub.rn.f64 %difference, %value, %wanted;",
      ...term,
    ],
    combine,
  });
}

/**
 * The kernel that hashes an output. Each element of at most 32 bits, and each half of a longer one, is mixed with its position by a
 * bijection of 64-bit numbers, and the results are added, so the order does not matter.
 *
 * @param bytes the size of an element: 1, 2 or 4
 */
export function hashKernel(bytes: number): string {
  return kernelText({
    parameters: [".param .u32 before"],
    registers: [".reg .b32 %raw, %before, %position;", ".reg .b64 %shifted;"],
    setup: ["ld.param.u32 %before, [before];", "add.u32 %before, %before, 1;"],
    term: [
      "mov.b32 %raw, 0;",
      ...loadOf("%raw", `u${8 * bytes}`, "%first", bytes),
      "add.u32 %position, %index, %before;",
      "mov.b64 %term, {%raw, %position};",
      ...MIX,
      "@!%inside mov.b64 %term, 0;",
    ],
    combine: "add.u64",
  });
}

/** The finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
const MIX = [
  "shr.u64 %shifted, %term, 30;",
  "xor.b64 %term, %term, %shifted;",
  "mul.lo.u64 %term, %term, 0xbf58476d1ce4e5b9;",
  "shr.u64 %shifted, %term, 27;",
  "xor.b64 %term, %term, %shifted;",
  "mul.lo.u64 %term, %term, 0x94d049bb133111eb;",
  "shr.u64 %shifted, %term, 31;",
  "xor.b64 %term, %term, %shifted;",
];

function loadOf(register: string, type: string, array: string, bytes: number): readonly string[] {
  return [
    `mul.wide.u32 %offset, %index, ${bytes};`,
    `add.u64 %address, ${array}, %offset;`,
    `@%inside ld.global.${type} ${register}, [%address];`,
  ];
}

function kernelText({ parameters, registers, setup, term, combine }: Score): string {
  const all = [
    ".param .u64 values",
    ".param .u64 scores",
    ".param .u32 stride",
    ".param .u32 length",
    ".param .u32 first_part",
    ...parameters,
  ];
  return `.version 6.4
.target sm_75
.address_size 64
.visible .entry ${KERNEL}(
	${all.join(",\n\t")}
)
{
	.reg .pred %inside, %more;
	.reg .b32 %thread, %alternative, %part, %at, %end, %index, %stride, %distance, %number, %count;
	.reg .b64 %first, %scores, %slot, %offset, %address, %result, %term;
	${registers.join("\n\t")}
	.shared .align 8 .b8 results[${8 * THREADS}];
	mov.u32 %thread, %tid.x;
	mov.u32 %alternative, %ctaid.x;
	mov.u32 %part, %ctaid.y;
	ld.param.u64 %first, [values];
	cvta.to.global.u64 %first, %first;
	ld.param.u32 %stride, [stride];
	mul.wide.u32 %offset, %alternative, %stride;
	add.u64 %first, %first, %offset;
	mul.lo.u32 %at, %part, ${PART};
	ld.param.u32 %end, [length];
	sub.u32 %end, %end, %at;
	min.u32 %end, %end, ${PART};
	add.u32 %end, %end, %at;
	${setup.join("\n\t")}
	mov.b64 %result, 0;
$next:
	add.u32 %index, %at, %thread;
	setp.lt.u32 %inside, %index, %end;
	${term.join("\n\t")}
	${combine} %result, %result, %term;
	add.u32 %at, %at, ${THREADS};
	setp.lt.u32 %more, %at, %end;
	@%more bra $next;
	mul.wide.u32 %offset, %thread, 8;
	mov.u64 %slot, results;
	add.u64 %slot, %slot, %offset;
	st.shared.b64 [%slot], %result;
	mov.u32 %distance, ${THREADS / 2};
$tree:
	bar.sync 0;
	setp.lt.u32 %inside, %thread, %distance;
	mul.wide.u32 %offset, %distance, 8;
	add.u64 %address, %slot, %offset;
	@%inside ld.shared.b64 %term, [%address];
	@%inside ${combine} %result, %result, %term;
	@%inside st.shared.b64 [%slot], %result;
	shr.u32 %distance, %distance, 1;
	setp.ne.u32 %more, %distance, 0;
	@%more bra $tree;
	setp.ne.u32 %more, %thread, 0;
	@%more bra $done;
	ld.param.u32 %number, [first_part];
	add.u32 %number, %number, %part;
	mov.u32 %count, %nctaid.x;
	mad.lo.u32 %number, %number, %count, %alternative;
	ld.param.u64 %scores, [scores];
	cvta.to.global.u64 %scores, %scores;
	mul.wide.u32 %offset, %number, 8;
	add.u64 %address, %scores, %offset;
	st.global.b64 [%address], %result;
$done:
	ret;
}
`;
}
