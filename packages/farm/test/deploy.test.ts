// The files to start from: well-formed, with commands and flags that exist.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { findOnPath } from "../../../scripts/lib/tools.mjs";
import { buildProgram } from "../src/cli/program.js";
import { Estimates } from "../src/front/estimates.js";
import type { Entry } from "../src/front/queue.js";
import { adminKeyOf } from "../src/keys.js";
import { STREAM } from "../src/names.js";

const path = (name: string): string => fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
const text = (name: string): string => readFileSync(path(name), "utf8");
const yaml = (name: string) =>
  parseAllDocuments(text(name)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });

/** The words of a command line that no command or flag explains. */
function unknownWords([name, ...words]: readonly string[]): string[] {
  const program: Command = buildProgram(() => {});
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return [name!];
  const unknown: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const option = command.options.find(({ long }) => long === words[i]);
    if (option === undefined) unknown.push(words[i]!);
    else if (option.required) i++;
  }
  return unknown;
}

const INSTRUCTIONS = new Set(
  "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split(
    " ",
  ),
);

/** The instructions of a Dockerfile with their words, lines that continue joined and comments left out. */
const instructionsOf = (file: string): readonly (readonly [word: string, words: string])[] =>
  file
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => [line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1)] as const);

/** The types of objects by version and kind, as `kubernetes-types` generates them from the API of Kubernetes. */
const TYPES: Readonly<Record<string, string>> = {
  "apps/v1 Deployment": 'import("kubernetes-types/apps/v1").Deployment',
  "policy/v1 PodDisruptionBudget": 'import("kubernetes-types/policy/v1").PodDisruptionBudget',
  "v1 Service": 'import("kubernetes-types/core/v1").Service',
};

/** What the TypeScript compiler finds wrong in objects: missing and unknown fields, and values of other types. */
function typeProblems(objects: readonly Readonly<Record<string, unknown>>[]): string[] {
  const file = fileURLToPath(new URL("kubernetes-objects.ts", import.meta.url));
  const lines = objects.map(
    (each, i) =>
      `export const _${i}: ${TYPES[`${each.apiVersion} ${each.kind}`]} = ${JSON.stringify(each)};\n`,
  );
  const options: ts.CompilerOptions = {
    strict: true,
    lib: ["lib.es5.d.ts"],
    types: [],
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => (name === file ? lines.join("") : readFile(name));
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("files to deploy", () => {
  it("compose.yaml runs a server and workers", () => {
    const [{ services }] = yaml("compose.yaml");
    expect(Object.keys(services)).toEqual(["serve", "worker"]);
    for (const { command } of Object.values<{ command: string[] }>(services))
      expect(unknownWords(command)).toEqual([]);
  });

  it("Kubernetes runs workers that have time to finish", () => {
    const [deployment, budget] = yaml("kubernetes/worker.yaml");
    const { spec } = deployment.spec.template;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(30);
    expect(unknownWords(spec.containers[0].args)).toEqual([]);
    expect(budget.kind).toBe("PodDisruptionBudget");
    const [scaled] = yaml("kubernetes/autoscaling.yaml");
    expect(scaled.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    const { metadata } = scaled.spec.triggers[0];
    expect(metadata).toMatchObject({ stream: STREAM, consumer: "p_POOL" });
    // Below the number of parcels that submitters with enough work keep for each worker.
    const [width, entry] = [
      { workers: 4, slots: 16 },
      { group: "small", bytes: 1000 },
    ];
    const estimates = new Estimates();
    estimates.add("small", 3);
    const jobs = estimates.parcelSize(entry as Entry, 1e6, width);
    const load = { jobs: 0, milliseconds: 0 };
    let parcels = 0;
    for (; !estimates.isEnough(load, width); parcels++) {
      load.jobs += jobs;
      load.milliseconds += 3 * jobs;
    }
    expect(Number(metadata.lagThreshold)).toBeLessThan(parcels / width.workers);
  });

  it("Kubernetes runs a server, which workers and the autoscaler reach by its name", () => {
    const [deployment, service] = yaml("kubernetes/server.yaml");
    const { metadata, spec } = deployment.spec.template;
    const [{ args, ports, volumeMounts }] = spec.containers;
    expect(unknownWords(args)).toEqual([]);
    expect(service.spec.selector).toEqual(metadata.labels);
    const open = ports.map((each: { containerPort: number }) => each.containerPort);
    expect(service.spec.ports.map((each: { port: number }) => each.port)).toEqual(open);
    const [worker] = yaml("kubernetes/worker.yaml");
    const [farm, monitor] = open;
    expect(worker.spec.template.spec.containers[0].args).toContain(`tls://${service.metadata.name}:${farm}`);
    const [scaled] = yaml("kubernetes/autoscaling.yaml");
    const { natsServerMonitoringEndpoint } = scaled.spec.triggers[0].metadata;
    expect(natsServerMonitoringEndpoint).toBe(`${service.metadata.name}:${monitor}`);
    // The list of keys and the server's own are where `serve` looks for them.
    const paths = volumeMounts.map((each: { mountPath: string }) => each.mountPath);
    const folder = args[args.indexOf("--folder") + 1];
    expect(paths).toEqual(expect.arrayContaining([`${folder}/keys.json`, adminKeyOf(folder)]));
  });

  it("Kubernetes knows every field of these objects", () => {
    const objects = ["server", "worker"].flatMap((name) => yaml(`kubernetes/${name}.yaml`));
    expect(objects.map(({ kind }) => kind)).toEqual([
      "Deployment",
      "Service",
      "Deployment",
      "PodDisruptionBudget",
    ]);
    expect(typeProblems(objects)).toEqual([]);
    const [wrong] = yaml("kubernetes/worker.yaml");
    wrong.spec.replicas = "1";
    wrong.spec.template.spec.containers[0].livenesProbe = {};
    expect(typeProblems([wrong])).toEqual([
      "Type 'string' is not assignable to type 'number'.",
      expect.stringContaining("'\"livenesProbe\"' does not exist in type 'Container'"),
    ]);
  });

  it("Lima has a machine for ARM", () => {
    const [machine] = yaml("lima.yaml");
    expect(machine).toMatchObject({ arch: "aarch64", vmType: "vz" });
    for (const { script } of machine.provision)
      expect(spawnSync("bash", ["-n"], { input: script }).status).toBe(0);
  });

  it("the unit runs a worker, and gives it time to finish", () => {
    const unit = text("mm-ptx-farm-worker.service");
    const [, words] = /^ExecStart=\S+ mm-ptx-farm (.*)$/m.exec(unit)!;
    expect(unknownWords(words!.split(" "))).toEqual([]);
    // The service's own cache folder, in which workers look for the compiler, is empty at first.
    expect(unit).toMatch(/^Environment=XDG_CACHE_HOME=%C\/mm-ptx-farm$/m);
    expect(unit).toMatch(/^ExecStartPre=\S+ mm-ptx fetch compiler$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(30);
  });

  it.skipIf(findOnPath(["systemd-analyze"], process.env) === undefined)("the unit is one for systemd", () => {
    execFileSync("systemd-analyze", ["verify", path("mm-ptx-farm-worker.service")], { stdio: "pipe" });
  });

  it("the image runs the command, as somebody without rights", () => {
    const instructions = instructionsOf(text("Dockerfile"));
    const unknown = instructions.filter(([word]) => !INSTRUCTIONS.has(word));
    expect(unknown).toEqual([]);
    expect(instructions[0]![0]).toBe("FROM");
    const of = (word: string) => instructions.filter(([each]) => each === word).map(([, words]) => words);
    expect(of("USER")).toEqual(["node"]);
    expect(of("ENTRYPOINT").map((words) => JSON.parse(words))).toEqual([["mm-ptx-farm"]]);
    for (const words of of("CMD")) expect(unknownWords(JSON.parse(words))).toEqual(["--help"]);
    for (const words of of("RUN")) expect(spawnSync("sh", ["-n"], { input: words }).status).toBe(0);
    // What runs as root comes before the user, and what fetches programs after it.
    const order = instructions.map(([word, words]) => `${word} ${words}`);
    const user = order.indexOf("USER node");
    expect(order.findIndex((each) => each.includes("npm install"))).toBeLessThan(user);
    expect(order.findIndex((each) => each.includes("mm-ptx-farm fetch"))).toBeGreaterThan(user);
  });
});
