// `check`: reports the problems of description files, or compares generated files with what would be generated.
import { MmPtxError } from "../core/error.js";
import type { DescriptionProblem } from "../error.js";
import { loadDescription } from "../node.js";
import { textOf } from "./files.js";
import type { Colors, Outcome } from "./framework.js";
import { errorJson, errorText, warningText } from "./problems.js";
import { Claims, readTargetList } from "./target-list.js";
import { filesOf } from "./targets.js";
import { contentsOf } from "./words.js";

/** The result for one file. */
interface Checked {
  readonly ok: boolean;
  readonly json: object;
  readonly help?: string | undefined;
  readonly text: (colors: Colors) => string;
}

/**
 * Checks description files; a problem in one does not keep the others from being checked.
 * @param strict whether warnings are problems
 */
export function checkDescriptions(paths: readonly string[], strict: boolean): Outcome {
  return outcome(
    paths.flatMap((file) =>
      guarded(file, () => {
        const warnings: DescriptionProblem[] = [];
        const onWarning = (warning: DescriptionProblem) => warnings.push(warning);
        const table = loadDescription(file, undefined, { strict, onWarning });
        const { kind, fingerprint } = table;
        return [
          {
            ok: true,
            json: { file, ok: true, kind, fingerprint, ...(warnings.length > 0 ? { warnings } : {}) },
            text: (colors) =>
              [
                ...warnings.map((warning) => warningText(warning, colors)),
                `${colors.green("ok")} ${file}: ${contentsOf(table)}`,
              ].join("\n"),
          },
        ];
      }),
    ),
  );
}

/** Generates everything that the lists name again, and compares it with the existing files. */
export function checkGenerated(lists: readonly string[]): Outcome {
  const claims = new Claims();
  return outcome(
    lists.flatMap((list) =>
      guarded(list, () =>
        readTargetList(list, claims).flatMap((target) =>
          guarded(target.out, () => [...filesOf(target)].map(compare)),
        ),
      ),
    ),
  );
}

function compare([file, text]: readonly [string, string]): Checked {
  const there = textOf(file);
  const ok = there === text;
  const state = there === undefined ? "missing" : ok ? "fresh" : "stale";
  return {
    ok,
    json: { file, ok, state },
    text: (colors) =>
      ok ? `${colors.green("ok")} ${file}` : `${colors.red(state)} ${file}${whereFirst(there, text)}`,
  };
}

/** The first line that differs. */
function whereFirst(there: string | undefined, text: string): string {
  if (there === undefined) return "";
  const [old, now] = [there.split("\n"), text.split("\n")];
  const line = now.findIndex((each, index) => each !== old[index]);
  return `, first in line ${(line === -1 ? now.length : line) + 1}`;
}

function guarded(file: string, check: () => Checked[]): Checked[] {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof MmPtxError)) throw error;
    return [
      {
        ok: false,
        json: { file, ok: false, ...errorJson(error), help: error.help },
        help: error.help,
        text: (colors) => errorText(error, colors),
      },
    ];
  }
}

function outcome(files: readonly Checked[]): Outcome {
  const bad = files.filter(({ ok }) => !ok).length;
  const ok = bad === 0;
  return {
    ok,
    help: files.find(({ help }) => help !== undefined)?.help,
    json: () => ({ ok, files: files.map(({ json }) => json) }),
    text: (colors) => {
      const lines = files.map(({ text }) => `${text(colors)}\n`).join("");
      return ok || files.length === 1
        ? lines
        : `${lines}\n${colors.red(`${bad} of ${files.length} failed`)}\n`;
    },
  };
}
