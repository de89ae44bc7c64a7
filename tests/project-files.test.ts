// The files that GitHub, package registries and citation tools read: each has the fields that its format demands, and says
// what the rest of the repository says.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { relativeLinks } from "../scripts/lib/markdown.mjs";
import { packagesIn, ROOT, readManifest } from "./support/workspace.js";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const manifest = JSON.parse(read("package.json"));
const WEB = manifest.repository.url.replace(/^git\+(.*)\.git$/, "$1");
const PACKAGES = packagesIn("packages").map(readManifest);
const PUBLISHED = PACKAGES.filter((one) => one.private !== true);

describe("CITATION.cff", () => {
  const citation = parse(read("CITATION.cff"));

  it("has the fields that the Citation File Format 1.2 demands", () => {
    expect(citation["cff-version"]).toBe("1.2.0");
    expect(citation.message).toMatch(/cite/);
    expect(citation.title).toMatch(/^mm-ptx/);
    expect(citation.type).toBe("software");
    expect(citation.authors).toEqual([{ name: expect.any(String) }]);
  });

  it("says what the manifest says", () => {
    const { version, license } = manifest;
    expect(citation).toMatchObject({ version, license, url: WEB, "repository-code": WEB });
  });
});

describe("issue forms", () => {
  const FOLDER = ".github/ISSUE_TEMPLATE";
  const forms = readdirSync(join(ROOT, FOLDER)).filter((name) => name !== "config.yml");

  it.each(forms)("%s has the fields that GitHub demands", (name) => {
    const form = parse(read(`${FOLDER}/${name}`));
    expect(form.name).toBeTruthy();
    expect(form.description).toBeTruthy();
    const fields = form.body.filter(({ type }: { type: string }) => type !== "markdown");
    const ids = fields.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(fields.length);
    for (const { type, attributes } of fields) {
      expect(["textarea", "input", "dropdown", "checkboxes"]).toContain(type);
      expect(attributes.label).toBeTruthy();
    }
  });

  it("offer every package", () => {
    const { body } = parse(read(`${FOLDER}/bug.yml`));
    const { options } = body.find(({ id }: { id: string }) => id === "package").attributes;
    expect(options).toEqual(expect.arrayContaining(PUBLISHED.map(({ name }) => name)));
  });

  it("lead to places of this repository", () => {
    const { contact_links } = parse(read(`${FOLDER}/config.yml`));
    for (const { url } of contact_links) {
      expect(url).toMatch(new RegExp(`^${WEB}/`));
      const [, file] = /\/blob\/main\/([^#]+)/.exec(url) ?? [];
      if (file !== undefined) expect(existsSync(join(ROOT, file))).toBe(true);
    }
  });
});

/** A job of a workflow, as far as it is checked. */
interface Job {
  readonly "timeout-minutes": number;
  readonly "runs-on": string;
  readonly permissions: Record<string, string>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly if?: string }[];
}

const JOB_KEYS = ["name", "runs-on", "container", "timeout-minutes", "environment", "permissions", "steps"];
const STEP_KEYS = ["id", "name", "if", "run", "uses", "with", "env"];

describe("workflows", () => {
  const all = readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`);
  const jobs = (file: string): Job[] => Object.values(parse(read(file)).jobs);

  it.each(all)("%s may do no more than it needs, and runs commands that exist", (file) => {
    expect(parse(read(file)).permissions).toEqual({ contents: "read" });
    for (const job of jobs(file)) {
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      for (const { run = "" } of job.steps) {
        for (const [, script] of run.matchAll(/npm run ([\w-]+)/g))
          expect(Object.keys(manifest.scripts)).toContain(script);
        for (const [path] of run.matchAll(/\.ci\/\w+/g)) expect(existsSync(join(ROOT, path))).toBe(true);
      }
    }
  });

  it.each([...all, "integrations/github-actions/emulate.yml"])(
    "%s has the form that GitHub demands",
    (file) => {
      const workflow = parse(read(file));
      const known = ["name", "on", "permissions", "concurrency", "env", "defaults", "jobs"];
      expect(Object.keys(workflow).filter((key) => !known.includes(key))).toEqual([]);
      const events = [workflow.on].flat().flatMap((on) => (typeof on === "string" ? on : Object.keys(on)));
      expect(["push", "pull_request", "schedule", "workflow_dispatch"]).toEqual(
        expect.arrayContaining(events),
      );
      for (const job of Object.values<Job>(workflow.jobs)) {
        expect(Object.keys(job).filter((key) => !JOB_KEYS.includes(key))).toEqual([]);
        expect(job["runs-on"]).toMatch(/^ubuntu-\d\d\.04$/);
        for (const step of job.steps) {
          expect(Object.keys(step).filter((key) => !STEP_KEYS.includes(key))).toEqual([]);
          expect([step.run, step.uses].filter((each) => each !== undefined)).toHaveLength(1);
          // A major version of an action gets its corrections.
          if (step.uses !== undefined) expect(step.uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
          else expect(step).not.toHaveProperty("with");
        }
      }
      const expressions = [...read(file).matchAll(/\$\{\{(.*?)\}\}/g)].map(([, words]) => words!.trim());
      for (const words of expressions) expect(words).toMatch(/^(?:github|secrets)\.\w+$/);
      expect(read(file).split("${{")).toHaveLength(expressions.length + 1);
    },
  );

  it("publish with provenance, and only when a tag was pushed", () => {
    const [release] = jobs(".github/workflows/release.yml");
    expect(release!.permissions["id-token"]).toBe("write");
    const publishing = release!.steps.filter(({ run = "" }) => /--publish|gh release/.test(run));
    expect(publishing).toHaveLength(2);
    for (const step of publishing) expect(step.if).toBe("github.event_name == 'push'");
  });
});

describe("versions", () => {
  const config = JSON.parse(read(".changeset/config.json"));

  it("are the same in all packages", () => {
    expect(config.fixed).toEqual([["mm-ptx", "@mm-ptx/*"]]);
    for (const { name } of PUBLISHED) expect(name).toMatch(/^(?:mm-ptx|@mm-ptx\/.+)$/);
    for (const { version } of PACKAGES) expect(version).toBe(manifest.version);
  });
});

it("every dependency of a published package is in docs/dependencies.md, which gives its reason", () => {
  const [table = ""] = /\| package \|[\s\S]*?\n\n/.exec(read("docs/dependencies.md")) ?? [];
  const listed = table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const needed = PUBLISHED.flatMap(({ dependencies = {} }) => Object.keys(dependencies));
  const others = needed.filter((name) => !/^@mm-ptx\//.test(name));
  expect([...new Set(others)].sort()).toEqual([...listed].sort());
});

it.each(["SUPPORT.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "docs/support.md", "docs/dependencies.md"])(
  "%s links to files that exist, and gives no address for mail",
  (file) => {
    const folder = join(ROOT, file, "..");
    for (const target of relativeLinks(read(file)))
      expect(existsSync(join(folder, target.replace(/#.*/, ""))), target).toBe(true);
    expect(read(file)).not.toMatch(/[\w.]+@[\w-]+\.(?:com|org|net|io)\b/);
  },
);
