// Codes of short programs, for tests: lines such as `a = sub.u32 x 1`, of which the last one is `out`.
import { parseStub } from "@mm-ptx/columns/stub";
import type { CodeBuffer } from "@mm-ptx/types/code";

/** The code of lines on inputs of 32 bits. */
export function codeOfLines(inputs: readonly string[], lines: readonly string[], type = "b32"): CodeBuffer {
  const names = lines.map((line) => line.split(" = ")[0]!).filter((name) => name !== "out");
  const operand = (name: string): string =>
    /^[0-9]/.test(name) ? name : names.includes(name) ? `%t_${name}` : `%${name}`;
  const instructions = lines.map((line) => {
    const [name = "", rest = ""] = line.split(" = ");
    const [instruction, ...operands] = rest.split(" ");
    return `${instruction} ${[operand(name), ...operands.map(operand)].join(", ")};`;
  });
  const registers = names.map((name) => `.reg .${type} %t_${name};`);
  const operands = [...inputs, "out"].map((name) => ({
    name,
    direction: name === "out" ? ("out" as const) : ("in" as const),
    register: name,
    registerType: type,
    type: type.toUpperCase(),
  }));
  return parseStub(`{\n${[...registers, ...instructions].join("\n")}\n}`, operands);
}
