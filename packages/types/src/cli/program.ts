// The command line: its commands and options, and what each of them does.
import { Command, Option } from "commander";
import { checkDescriptions, checkGenerated } from "./check.js";
import { diff } from "./diff.js";
import type { Outcome } from "./framework.js";
import { completedBy, UsageError } from "./framework.js";
import { generate, generateLists } from "./generate.js";
import { list } from "./list.js";
import { pythonExporter } from "./python-exporter.js";
import { KINDS, LANGUAGE_NAMES } from "./targets.js";

interface GenerateOptions {
  readonly language?: string;
  readonly out?: string;
  readonly prefix?: string;
  readonly encoders?: string;
  readonly list?: true;
}

/** @param done receives the result of the command */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("mm-ptx-types")
    .description(
      "Checks, lists and compares description files of PTX instructions, and generates code from them.",
    )
    .addHelpText("after", "\nExit codes: 0, 1 for problems in files, 2 for an invalid command line.");

  program
    .command("check")
    .description("report all problems of description files")
    .argument("<files...>", "description files; with --generated, lists of generated files")
    .option("--generated", "compare the files that the lists name with what would be generated")
    .addOption(
      new Option(
        "--strict",
        "reject what is otherwise only a warning, such as register types that `mov` does not accept",
      ).conflicts("generated"),
    )
    .action((files: string[], { generated, strict }: { generated?: true; strict?: true }) =>
      done(generated ? checkGenerated(files) : checkDescriptions(files, strict === true)),
    );

  program
    .command("generate")
    .description("generate an instruction table with its encoders")
    .argument("<files...>", "a description file; with --list, lists of generated files")
    .addOption(
      new Option("--lang, --language <name>", LANGUAGE_NAMES.join(", ")).argParser(
        completedBy(LANGUAGE_NAMES, asWritten),
      ),
    )
    .option(
      "-o, --out <path>",
      "the file to write, or for typescript and js a folder/ of modules (default: stdout)",
      completedBy("files", asWritten),
    )
    .option("--prefix <name>", "the prefix of all names in a C header")
    .option("--encoders <module>", "the module from which typescript and js import the encoders")
    .option("--list", "generate everything that the lists name")
    .addHelpText("after", LIST_HELP)
    .action((files: string[], options: GenerateOptions) => done(runGenerate(files, options)));

  program
    .command("schema")
    .description("print the JSON Schema of a kind of description file")
    .argument("<kind>", KINDS.join(", "), completedBy(KINDS, asWritten))
    .option("-o, --out <path>", "the file to write (default: stdout)", completedBy("files", asWritten))
    .action((schema: string, { out }: { out?: string }) => done(generate({ schema, out })));

  program
    .command("list")
    .description("print a description as a readable table")
    .argument("<file>", "the description file")
    .action((file: string) => done(list(file)));

  program
    .command("diff")
    .description("show what changed, and whether programs made for the first description run on the second")
    .argument("<before>", "the first description file")
    .argument("<after>", "the second description file")
    .action((before: string, after: string) => done(diff(before, after)));

  program
    .command("python-exporter")
    .description("print a Python script that writes the types of a program for mm-ptx 1.0 as a description")
    .option("-o, --out <path>", "the file to write (default: stdout)", completedBy("files", asWritten))
    .action(({ out }: { out?: string }) => done(pythonExporter(out)));

  return program;
}

/** Leaves a word as it is; the function that receives it checks it. */
const asWritten = (word: string): string => word;

const LIST_HELP = `
A list is a JSON file whose paths are relative to it:
  { "generated": [
    { "from": "stack.json", "language": "typescript", "out": "../src/generated/" },
    { "from": "stack.json", "language": "c", "out": "stack.h", "prefix": "mine" },
    { "schema": "stack", "out": "stack.schema.json" } ] }`;

function runGenerate(files: readonly string[], given: GenerateOptions): Outcome {
  const { language, ...options } = targetOptions(given);
  if (given.list) {
    const [beside] = Object.keys(targetOptions(given));
    if (beside === undefined) return generateLists(files);
    throw new UsageError(
      `expected \`--list\` alone, because the lists contain all options, found \`--${beside}\``,
    );
  }
  const [from, ...others] = files as [string, ...string[]];
  if (others.length > 0) throw new UsageError(`expected one description file, found ${files.length}`);
  if (language === undefined) {
    throw new UsageError(`expected \`--lang\` with one of ${LANGUAGE_NAMES.join(", ")}, found nothing`);
  }
  return generate({ from, language, ...options });
}

/** The options that describe the generated file, without those that were not given. */
function targetOptions({ language, out, prefix, encoders }: GenerateOptions): Omit<GenerateOptions, "list"> {
  const options = Object.entries({ language, out, prefix, encoders });
  return Object.fromEntries(options.filter(([, value]) => value !== undefined));
}
