// Programs as `__device__` functions of CUDA C++.
import { SearchError } from "../error.js";
import type { Genome, ProgramSpace } from "../spaces/space.js";
import { argumentComment, argumentNames } from "./names.js";
import { registersOf, renamedLines } from "./registers.js";

/** The type of C++ and the constraint of asm for each number of bits of a register; floats have their own. */
const BITS: Readonly<Record<string, readonly [type: string, constraint: string]>> = {
  16: ["unsigned short", "h"],
  32: ["unsigned int", "r"],
  64: ["unsigned long long", "l"],
};

function bindingOf(type: string): readonly [type: string, constraint: string] {
  if (type === "f32") return ["float", "f"];
  if (type === "f64") return ["double", "d"];
  if (type === "s32") return ["int", "r"];
  if (type === "s64") return ["long long", "l"];
  if (type === "s16") return ["short", "h"];
  const bits = Number(/\d+/.exec(type)?.[0]) * (type.endsWith("x2") ? 2 : 1);
  const found = BITS[bits];
  if (found === undefined || type === "pred")
    throw new SearchError("UNSUPPORTED", `functions of CUDA can't have arguments of type \`${type}\``);
  return found;
}

/**
 * A `__device__` function whose body is the stub of a program, so that it computes the same whatever the options of the compiler are. It
 * returns the output; several outputs are references after the inputs.
 */
export function exportCuda(space: ProgramSpace, genome: Genome, name: string, comment: string): string {
  const { inputRegisters, outputRegisters } = space;
  const registers = registersOf(space);
  const program = { inputs: inputRegisters, outputs: outputRegisters };
  const names = argumentNames(program);
  const { inputs, outputs: results } = names;
  const isSingle = outputRegisters.length === 1;
  // Outputs come first, because asm numbers them first.
  const outputs = registers.filter(({ output }) => output >= 0);
  const others = registers.filter(({ output }) => output < 0);
  const numbers = new Map([...outputs, ...others].map((register, index) => [register.name, `%${index}`]));
  const stub = renamedLines(space.stub(genome), numbers, "%%");
  const bound = outputs.map(
    ({ type, input, output }) => `"${input >= 0 ? "+" : "="}${bindingOf(type)[1]}"(${results[output]})`,
  );
  const read = others.map(({ type, input }) => `"${bindingOf(type)[1]}"(${inputs[input]})`);
  const parameters = [
    ...inputRegisters.map(({ type }, index) => `${bindingOf(type)[0]} ${inputs[index]}`),
    ...(isSingle ? [] : outputRegisters.map(({ type }, index) => `${bindingOf(type)[0]} &${results[index]}`)),
  ];
  const lines = [
    ...outputs.flatMap(({ type, input, output }) => {
      const value = input >= 0 ? ` = ${inputs[input]}` : "";
      if (isSingle) return [`${bindingOf(type)[0]} ${results[output]}${value};`];
      return input >= 0 ? [`${results[output]}${value};`] : [];
    }),
    `asm(${stub.map((line) => JSON.stringify(`${line}\n`)).join("\n      ")}`,
    `    : ${bound.join(", ")}`,
    `    : ${read.join(", ")});`,
    ...(isSingle ? [`return ${results[0]};`] : []),
  ];
  const returned = isSingle ? bindingOf(outputRegisters[0]!.type)[0] : "void";
  return `${[`// ${comment}`, ...argumentComment(program, names)].join("\n")}
__device__ __forceinline__ ${returned} ${name}(${parameters.join(", ")}) {
${lines.map((line) => `  ${line}`).join("\n")}
}
`;
}
