// `list`: shows a table with index, name, arguments and results.
import { loadDescription } from "../node.js";
import type { AnyTable } from "../parse.js";
import { requirementText } from "../requirement.js";
import { type Colors, columns, type Outcome, printable } from "./framework.js";
import { contentsOf } from "./words.js";

interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function list(path: string): Outcome {
  const table = loadDescription(path);
  return {
    ok: true,
    json: () => table,
    text: (colors) => {
      const title = `${colors.bold(path)}: ${contentsOf(table)}\nfingerprint ${table.fingerprint}\n`;
      const sections = sectionsOf(table).filter(({ rows }) => rows.length > 0);
      return [title, ...sections.map((section) => sectionText(section, colors))].join("\n");
    },
  };
}

function sectionText({ title, head, rows }: Section, colors: Colors): string {
  const numbered = [["index", ...head], ...rows.map((row, index) => [`${index}`, ...row.map(cellText)])];
  const [header = "", ...lines] = columns(numbered, new Set([0]));
  return `${colors.bold(title)}\n${colors.dim(header)}\n${lines.join("\n")}\n`;
}

/** A cell of one line, since names may contain anything when `display` provides them. */
function cellText(cell: string): string {
  return printable(cell).replace(/[\t\n]/g, " ");
}

function sectionsOf(table: AnyTable): Section[] {
  switch (table.kind) {
    case "stack": {
      const { stackTypes, argTypes, instructions, specialRegisters } = table;
      const named = (args: readonly number[]) => args.map((arg) => argTypes[arg]!.name).join(" ");
      return [
        {
          title: "Stacks",
          head: ["name", "register", "constants"],
          rows: stackTypes.map((type) => [type.name, `.${type.literalPrefix}`, type.constantType ?? ""]),
        },
        {
          title: "Argument types",
          head: ["name", "stack", "elements"],
          rows: argTypes.map(({ name, stackIndex, vectorElements }) => [
            name,
            stackTypes[stackIndex]!.name,
            vectorElements === 0 ? "" : `${vectorElements}`,
          ]),
        },
        {
          title: "Instructions",
          head: ["name", "arguments", "results", "requires", "prints"],
          rows: instructions.map(({ ptx, name, args, results, requires }) => [
            name,
            named(args),
            named(results),
            requirementText(requires),
            ptx === name ? "" : ptx,
          ]),
        },
        {
          title: "Special registers",
          head: ["name", "type", "requires", "prints"],
          rows: specialRegisters.map(({ ptx, name, argType, requires }) => [
            name,
            named([argType]),
            requirementText(requires),
            ptx === name ? "" : `%${ptx}`,
          ]),
        },
      ];
    }
    case "ast":
      return [
        {
          title: "Instructions",
          head: ["name", "arguments", "requires", "prints"],
          rows: table.instructions.map(({ ptx, name, args, requires }) => [
            name,
            `${args}`,
            requirementText(requires),
            ptx === name ? "" : ptx,
          ]),
        },
      ];
    case "inject":
      return [
        {
          title: "Types",
          head: ["name", "register", "mov", "constraint", "cast"],
          rows: table.types.map((type) => [
            type.name,
            `.${type.registerType}`,
            `mov.${type.movPostfix}`,
            type.registerChar,
            type.registerCast,
          ]),
        },
      ];
  }
}
