// Descriptions of PTX Inject: the types that operands of a site may have.

import { CONSTRAINTS, fitsConstraint, takesRegister } from "../core/register-type.js";
import type { InjectType, InjectTypes } from "../core/table.js";
import type { InjectDescription } from "../description.js";
import { quoted } from "../internal/describe.js";
import { injectRows } from "../internal/fingerprint.js";
import { BY_NAME, IN_C } from "../merge.js";
import { EntryChecker, entriesOf, type KindRules, wellFormed } from "./rules.js";

type FileType = NonNullable<InjectDescription["data_type_infos"]>[number];

export const INJECT: KindRules<InjectTypes> = {
  // The names are used unchanged in C macros, and no TypeScript is generated from them.
  lists: [{ key: "data_type_infos", ...BY_NAME, identifiers: [IN_C] }],

  check(own, merged, problems) {
    const checker = new EntryChecker(merged, problems);
    for (const entry of wellFormed<FileType>(own, "data_type_infos")) {
      const { register_type: register, mov_postfix: mov, register_char: constraint } = entry.value;
      if (!takesRegister(mov, register)) {
        checker.tell(entry, ["mov_postfix"], {
          expected: `a \`mov\` that takes a \`${register}\` register`,
          found: quoted(mov),
        });
      }
      if (!CONSTRAINTS.includes(constraint)) {
        checker.tell(entry, ["register_char"], {
          expected: `the constraint of a register (${CONSTRAINTS.join(", ")})`,
          found: quoted(constraint),
        });
      } else if (!fitsConstraint(mov, constraint)) {
        checker.tell(entry, ["register_char"], {
          expected: `a constraint whose register \`mov.${mov}\` takes`,
          found: quoted(constraint),
        });
      }
    }
  },

  build: (merged) => ({
    kind: "inject",
    types: entriesOf<FileType>(merged, "data_type_infos").map(
      ({ name, value }): InjectType => ({
        name,
        registerType: value.register_type,
        movPostfix: value.mov_postfix,
        registerChar: value.register_char,
        registerCast: value.register_cast_str,
      }),
    ),
  }),

  rows: injectRows,
};
