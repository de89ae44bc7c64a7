// Programs as kernels in PTX, which apply a program to columns.
import { SearchError } from "../error.js";
import type { Genome, ProgramSpace } from "../spaces/space.js";
import { argumentComment, argumentNames } from "./names.js";
import { registersOf, renamedLines, type UsedRegister } from "./registers.js";

/** What the PTX of a kernel begins with. */
export interface PtxTarget {
  /** The PTX version; 7.8 by default, which has all instructions of the default tables up to sm_90. */
  readonly version?: string | undefined;
  /** The architecture; sm_80 by default. */
  readonly target?: string | undefined;
}

/** The bytes of the elements of columns by type; predicates are bytes, 0 or 1. */
function bytesOf(type: string): number {
  if (type === "pred") return 1;
  const bits = Number(/\d+/.exec(type)?.[0]) * (type.endsWith("x2") ? 2 : 1);
  if (![16, 32, 64].includes(bits))
    throw new SearchError("UNSUPPORTED", `kernels can't have columns of type \`${type}\``);
  return bits / 8;
}

/**
 * A module with one kernel: thread i of the grid applies the program to row i. The parameters are the addresses of the columns of the
 * inputs, those of the outputs, and the number of rows as u32.
 */
export function exportPtx(
  space: ProgramSpace,
  genome: Genome,
  name: string,
  comment: string,
  { version = "7.8", target = "sm_80" }: PtxTarget,
): string {
  const registers = registersOf(space);
  const program = { inputs: space.inputRegisters, outputs: space.outputRegisters };
  const names = argumentNames(program);
  const parameters = [...names.inputs, ...names.outputs, "rows"];
  const own = new Map(registers.map((register, index) => [register.name, `%value${index}`]));
  const parameterOf = ({ input, output }: UsedRegister, isInput: boolean): string =>
    isInput ? names.inputs[input]! : names.outputs[output]!;
  const lines = [
    ".reg .pred %outside;",
    ".reg .b32 %row, %threads, %block, %rows, %byte;",
    ".reg .b64 %address, %offset;",
    ...registers.map(({ name: register, type }) => `.reg .${type} ${own.get(register)};`),
    "mov.u32 %row, %tid.x;",
    "mov.u32 %threads, %ntid.x;",
    "mov.u32 %block, %ctaid.x;",
    "mad.lo.u32 %row, %block, %threads, %row;",
    `ld.param.u32 %rows, [${parameters.at(-1)}];`,
    "setp.ge.u32 %outside, %row, %rows;",
    "@%outside bra done;",
    ...registers
      .filter(({ input }) => input >= 0)
      .flatMap((register) => [
        ...address(register, parameterOf(register, true)),
        ...load(register.type, own.get(register.name)!),
      ]),
    ...renamedLines(space.stub(genome), own, "%"),
    ...registers
      .filter(({ output }) => output >= 0)
      .flatMap((register) => [
        ...address(register, parameterOf(register, false)),
        ...store(register.type, own.get(register.name)!),
      ]),
  ];
  const declared = parameters.map(
    (parameter, index) => `  .param .${index === parameters.length - 1 ? "u32" : "u64"} ${parameter}`,
  );
  return `${[`// ${comment}`, ...argumentComment(program, names)].join("\n")}
.version ${version}
.target ${target}
.address_size 64

.visible .entry ${name}(
${declared.join(",\n")}
) {
${lines.map((line) => `  ${line}`).join("\n")}
done:
  ret;
}
`;
}

const address = ({ type }: UsedRegister, parameter: string): string[] => [
  `ld.param.u64 %address, [${parameter}];`,
  "cvta.to.global.u64 %address, %address;",
  `mul.wide.u32 %offset, %row, ${bytesOf(type)};`,
  "add.u64 %address, %address, %offset;",
];

const load = (type: string, register: string): string[] =>
  type === "pred"
    ? ["ld.global.u8 %byte, [%address];", `setp.ne.u32 ${register}, %byte, 0;`]
    : [`ld.global.b${8 * bytesOf(type)} ${register}, [%address];`];

const store = (type: string, register: string): string[] =>
  type === "pred"
    ? [`selp.u32 %byte, 1, 0, ${register};`, "st.global.u8 [%address], %byte;"]
    : [`st.global.b${8 * bytesOf(type)} [%address], ${register};`];
