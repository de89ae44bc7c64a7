// Runs the built program `mm-ptx-types` in a temporary folder with a few description files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { ROOT } from "../../../../tests/support/workspace.js";

const PROGRAM = "packages/types/dist/cli/main.js";
export const MAIN = join(ROOT, PROGRAM);

/** A good description, in `good.json`. */
export const GOOD = {
  abi_version: 1,
  stack_types: [
    { name: "F32", literal_prefix: "f32", constant_type: "f32" },
    { name: "PRED", literal_prefix: "pred" },
  ],
  arg_types: [
    { name: "F32", stack_type: "F32" },
    { name: "PRED", stack_type: "PRED" },
    { name: "V2", stack_type: "F32", num_vec_elems: 2 },
  ],
  instructions: [
    { ptx: "add.f32", args: ["F32", "F32"], rets: ["F32"] },
    {
      ptx: "setp.lt.f32",
      args: ["F32", "F32"],
      rets: ["PRED", "PRED"],
      name: "less",
      requires: { target: "sm_90", ptx: "7.8" },
    },
    { ptx: "mov.b64", args: ["V2"], rets: [] },
  ],
  special_registers: [{ ptx: "tid", arg_type: "V2", requires: { ptx: "8.0" } }],
};

/** A description with two problems, in `bad.json`. */
export const BAD = `{
  "abi_version": 1,
  "stack_types": [{ "name": "F32", "literal_prefix": "f32" }],
  "arg_types": [{ "name": "F32", "stack_type": "F3" }],
  "instructions": [{ "ptx": "add.f32", "args": ["F32"], "rets": ["F32"], "nam": "x" }]
}
`;

/** What the command line prints for it. */
export const BAD_TEXT = `bad.json:4:48 arg_types[0].stack_type: expected a stack type, found \`F3\`, did you mean \`F32\`?
    4 |   "arg_types": [{ "name": "F32", "stack_type": "F3" }],
      |                                                ^^^^
bad.json:5:74 instructions[0].nam: expected a known key, found \`nam\`, did you mean \`name\`?
    5 |   "instructions": [{ "ptx": "add.f32", "args": ["F32"], "rets": ["F32"], "nam": "x" }]
      |                                                                          ^^^^^
`;

/** A folder with `good.json`, `bad.json` and our AST PTX catalogue, `ast.json`. */
export class CommandLine extends ProgramFolder {
  constructor() {
    super(PROGRAM);
    this.write("ast.json", readFileSync(join(ROOT, "type_descriptions/ast_instructions.json"), "utf8"));
    this.write("good.json", JSON.stringify(GOOD, null, 2));
    this.write("bad.json", BAD);
  }
}
