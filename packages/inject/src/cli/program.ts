// The command line: its commands and options. Each command loads its code on demand, because build systems start this program
// for every file.

import { quoted } from "@mm-ptx/types/internal";
import { Command, Option } from "commander";
import type { AnnotateOptions } from "./annotate.js";
import type { ExpandOptions } from "./expand.js";
import {
  type Outcome,
  oneOf,
  pathWord,
  requiredOption,
  STANDARD,
  UsageError,
  wholeNumber,
} from "./framework.js";
import type { HeaderOptions } from "./header.js";
import type { InspectOptions } from "./inspect.js";
import type { PackOptions } from "./pack.js";
import type { RenderOptions } from "./render.js";

type AnnotateFlags = AnnotateOptions & { readonly watch?: true; readonly json?: true };

type Asked = NonNullable<AnnotateOptions["alternatives"]>;

const TYPES = [
  "-t, --types <file>",
  "description of the types (JSON); default: built-in types",
  pathWord,
] as const;
/** For PTX, whose sites of 0.x name types but no registers. */
const REGISTER_PREFIX = [
  "--register-prefix <word>",
  "the prefix of register names at 0.x sites in stubs; default: _x",
] as const;
const MODES = ["asm", "macro"] as const;
const MISSING = ["error", "empty"] as const;

/** @param done receives the outcome of the command */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("ptxinject")
    .description("Makes injectable PTX from annotated CUDA: `ptxinject kernels/*.cu -o out/`.")
    .addHelpText(
      "after",
      "\nExit codes: 0 for success, 1 for problems in files and for stale outputs, 2 for an invalid command line.",
    );
  program
    .command("annotate", { isDefault: true })
    .description("rewrite the comment annotations of CUDA files as inline assembly (the default command)")
    .argument("<inputs...>", "CUDA files or patterns; - for stdin")
    .option(
      "-o, --out <path>",
      "output folder, or output file for a single input; stdout by default and for -",
      pathWord,
    )
    .option(
      "--base <folder>",
      "preserve the paths of inputs below this folder in the output folder",
      pathWord,
    )
    .option(...TYPES)
    .option(
      "-m, --mode <mode>",
      "write inline assembly (asm) or the macro of ptx_inject.h (macro)",
      oneOf("mode", MODES),
    )
    .option(
      "--alternatives <name=count:expression>",
      "write an injection as several, one of which a C++ expression selects; repeatable",
      alternatives,
    )
    .option("--depfile <file>", "write what the outputs depend on, for Make, Ninja and CMake", pathWord)
    .option("--check", "write nothing; exit with 1 if an output is stale or missing")
    .option("-w, --watch", "keep running, and repeat whenever an input or the description changes")
    .option("-q, --quiet", "print only problems")
    .action(async (inputs: string[], _: unknown, command: Command) => {
      const flags: AnnotateFlags = command.optsWithGlobals();
      // A misspelled command is read as an input.
      const commands = command.parent?.commands.map((each) => each.name()) ?? [];
      refuseMixture(inputs, flags);
      if (flags.watch) {
        const { watch } = await import("./watch.js");
        await watch(inputs, flags, commands);
      }
      const [{ annotateOnce }, { summaryOf }] = await Promise.all([
        import("./annotate.js"),
        import("./summary.js"),
      ]);
      done(summaryOf(await annotateOnce(inputs, flags, commands), flags.quiet === true));
    });

  program
    .command("inspect")
    .description("list the injections of compiled PTX with their sites, operands and registers")
    .argument("<file>", "PTX file; - for stdin", pathWord)
    .option(...TYPES)
    .option(...REGISTER_PREFIX)
    .action(async (file: string, options: InspectOptions) => {
      const { inspect } = await import("./inspect.js");
      done(await inspect(file, options));
    });

  program
    .command("render")
    .description("replace the sites of compiled PTX with stubs")
    .argument("<file>", "PTX file; - for stdin", pathWord)
    .option(
      "-s, --stub <name=file>",
      "the file with the stub of an injection; - for stdin; repeatable",
      collect,
      [],
    )
    .option("--text <name=ptx>", "the text of a stub; repeatable", collect)
    .option(
      "--missing <what>",
      "how to treat an injection without a stub: as an error, or as empty",
      oneOf("value", MISSING),
    )
    .option("--strict", "treat warnings as errors")
    .option(
      "--filled",
      "write the filled kernel as JSON, which `mm-ptx-cuda compile` and `mm-ptx-emulate` accept",
    )
    .option("-o, --out <file>", "output file; stdout by default and for -", pathWord)
    .option(...TYPES)
    .option(...REGISTER_PREFIX)
    .action(async (file: string, options: RenderOptions) => {
      const { render } = await import("./render.js");
      done(await render(file, options));
    });

  program
    .command("pack")
    .description("combine compiled PTX with many sets of stubs into one module")
    .argument("<file>", "PTX file; - for stdin", pathWord)
    .addOption(
      requiredOption(
        new Option(
          "--stubs <file>",
          "JSON array with the stubs of each variant by name; - for stdin",
        ).argParser(pathWord),
        { example: "stubs.json" },
      ),
    )
    .option(
      "--kernel <name>",
      "a kernel that each variant has; by default all with sites; repeatable",
      collect,
    )
    .option("--shared <name>", "a variable that all variants share; repeatable", collect)
    .option(
      "--missing <what>",
      "how to treat an injection without a stub: as an error, or as empty",
      oneOf("value", MISSING),
    )
    .option("--names <file>", "write which name belongs to which variant, as JSON", pathWord)
    .option("-o, --out <file>", "output file; stdout by default and for -", pathWord)
    .option(...TYPES)
    .option(...REGISTER_PREFIX)
    .action(async (file: string, options: PackOptions) => {
      const { pack } = await import("./pack.js");
      done(await pack(file, options));
    });

  program
    .command("expand")
    .description(
      "turn an injection of compiled PTX into several, one of which the kernel selects at run time",
    )
    .argument("<file>", "PTX file; - for stdin", pathWord)
    .argument("<injection>", "name of the injection")
    .addOption(
      requiredOption(new Option("-n, --count <number>", "number of alternatives").argParser(wholeNumber), {
        example: "4",
      }),
    )
    .addOption(
      requiredOption(
        new Option(
          "--select <what>",
          "where the number comes from: an operand, a special register such as %ctaid.x, or a register of the kernel",
        ),
        { example: "%ctaid.x" },
      ),
    )
    .option("-o, --out <file>", "output file; stdout by default and for -", pathWord)
    .option(...TYPES)
    .option(...REGISTER_PREFIX)
    .action(async (file: string, injection: string, options: ExpandOptions) => {
      const { expand } = await import("./expand.js");
      done(await expand(file, injection, options));
    });

  program
    .command("header")
    .description("print a CUDA header for the types of a description")
    .option(...TYPES)
    .option("-o, --out <file>", "output file; stdout by default and for -", pathWord)
    .action(async (options: HeaderOptions) => {
      const { header } = await import("./header.js");
      done(await header(options));
    });

  return program;
}

/** Rejects combinations of options that contradict each other. */
function refuseMixture(inputs: readonly string[], { out, depfile, check, watch: stay }: AnnotateFlags): void {
  const refuse = (option: string, companion: string, why: string) =>
    new UsageError(`expected no \`${option}\` with ${companion}, ${why}`);
  const toStdout = out === undefined || out === STANDARD;
  if (check && depfile !== undefined) throw refuse("--depfile", "`--check`", "which writes nothing");
  if (check && stay) throw refuse("--check", "`--watch`", "which writes");
  if (toStdout && check) throw refuse("--check", "standard output", "which is never stale");
  if (toStdout && depfile !== undefined)
    throw refuse("--depfile", "standard output", "which cannot be a target");
  if (toStdout && stay) throw refuse("--watch", "standard output", "which ends");
  if (stay && inputs.includes(STANDARD)) throw refuse("--watch", "standard input", "which does not change");
}

/** `func=8:blockIdx.x` */
function alternatives(word: string, before: Asked = {}): Asked {
  const [, name, count, select] = /^(.+?)=(\d+):(.+)$/s.exec(word) ?? [];
  if (name !== undefined && count !== undefined && select !== undefined) {
    return { ...before, [name]: { count: Number(count), select } };
  }
  throw new UsageError(`expected \`name=count:expression\`, found ${quoted(word)}`);
}

const collect = (word: string, before: readonly string[] = []): readonly string[] => [...before, word];
