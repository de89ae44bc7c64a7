// Describes tables in words.
import type { AnyTable } from "../parse.js";
import { counted } from "./framework.js";

const KIND_TITLES = { stack: "Stack PTX", inject: "PTX Inject", ast: "AST PTX" };

/** `Stack PTX, 80 instructions on 4 stacks, 14 special registers`. */
export function contentsOf(table: AnyTable): string {
  return `${KIND_TITLES[table.kind]}, ${countsOf(table)}`;
}

function countsOf(table: AnyTable): string {
  switch (table.kind) {
    case "stack": {
      const { instructions, stackTypes, specialRegisters } = table;
      const stacks = `${counted(instructions.length, "instruction")} on ${counted(stackTypes.length, "stack")}`;
      return `${stacks}, ${counted(specialRegisters.length, "special register")}`;
    }
    case "ast":
      return counted(table.instructions.length, "instruction");
    case "inject":
      return counted(table.types.length, "type");
  }
}
