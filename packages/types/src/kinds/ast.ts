// Descriptions of AST PTX: instructions with their number of arguments. Their entries do not refer to each other, so
// nothing can fail to match.
import type { AstInstruction, AstTable, Requirement } from "../core/table.js";
import type { AstDescription } from "../description.js";
import { astRows } from "../internal/fingerprint.js";
import { BY_NAME_OR_PTX, IN_C, IN_TYPESCRIPT } from "../merge.js";
import { entriesOf, type KindRules, optional } from "./rules.js";

type FileInstruction = NonNullable<AstDescription["instructions"]>[number];

export const AST: KindRules<AstTable> = {
  lists: [{ key: "instructions", ...BY_NAME_OR_PTX, identifiers: [IN_TYPESCRIPT, IN_C] }],

  check: () => {},

  build: (merged) => ({
    kind: "ast",
    instructions: entriesOf<FileInstruction>(merged, "instructions").map(
      ({ name, value }): AstInstruction => ({
        ptx: value.ptx,
        name,
        args: value.args || 0,
        ...optional("display", value.display),
        ...optional("requires", value.requires as Requirement | undefined),
      }),
    ),
  }),

  rows: astRows,
};
