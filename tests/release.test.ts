// What `npm run release` decides on this machine alone: its command line, the order of publishing, the list of what tarballs
// hold, and the notes that are cut from the changelog.

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeUnreleased, nextVersion, sectionOf } from "../scripts/lib/changelog.mjs";
import { absoluteLinks, relativeLinks } from "../scripts/lib/markdown.mjs";
import { publishCommand, publishOrder } from "../scripts/lib/publish.mjs";
import { releaseNotes } from "../scripts/lib/release-notes.mjs";
import { readReleaseOptions } from "../scripts/lib/release-options.mjs";
import { spdxDocument } from "../scripts/lib/spdx.mjs";
import { packagesIn, ROOT, readManifest } from "./support/workspace.js";

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-release-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the command line", () => {
  const read = (...words: string[]) => readReleaseOptions(words, "linux-x64");

  it("takes this machine's platform, named platforms or all", () => {
    expect(read()).toEqual({ platforms: ["linux-x64"], dryRun: false, publish: false });
    expect(read("win32-x64", "linux-arm64", "--dry-run")).toEqual({
      platforms: ["linux-arm64", "win32-x64"],
      dryRun: true,
      publish: false,
    });
    expect(read("--all", "--publish")).toEqual({
      platforms: ["linux-x64", "linux-arm64", "win32-x64"],
      dryRun: false,
      publish: true,
    });
  });

  it.each([
    [["plan9"], "expected platforms among linux-x64, linux-arm64, win32-x64, found `plan9`"],
    [["--al"], "expected the options --all, --dry-run, --publish, found `--al`"],
    [["--all", "linux-x64"], "expected `--all` or platforms, found `--all linux-x64`"],
    [["--all", "--publish", "--dry-run"], "expected `--publish` or `--dry-run`, found both"],
    [["--publish"], "expected `--all` with `--publish`, because a version is published for all platforms"],
  ])("refuses %j", (words, problem) => {
    expect(read(...words)).toEqual({ problem });
  });
});

describe("publishing", () => {
  const packed = (folder: string) => {
    const manifest = readManifest(folder);
    return { name: manifest.name, tarball: join(ROOT, "out", `${manifest.name}.tgz`), manifest };
  };
  const all = ["packages", "packages/cuda/npm", "packages/emulator/npm", "packages/learn/npm"]
    .flatMap(packagesIn)
    .map(packed)
    .filter(({ manifest }) => manifest.private !== true);

  it("puts each package after those that it depends on", () => {
    const names = publishOrder(all).map(({ name }) => name);
    expect([...names].sort()).toEqual(all.map(({ name }) => name).sort());
    for (const { name, manifest } of all) {
      for (const needed of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
        if (names.includes(needed)) expect(names.indexOf(needed), needed).toBeLessThan(names.indexOf(name));
    }
  });

  it("refuses a circle", () => {
    const one = (name: string, needed: string) => ({
      name,
      tarball: "",
      manifest: { dependencies: { [needed]: "1.0.0" } },
    });
    expect(() => publishOrder([one("a", "b"), one("b", "a")])).toThrow(
      "expected dependencies without a circle, found one at a",
    );
  });

  it("names the tarball, and asks for provenance", () => {
    const words = publishCommand({ name: "a", tarball: join(ROOT, "out/a.tgz"), manifest: {} });
    expect(words).toEqual(["npm", "publish", "out/a.tgz", "--provenance", "--access=public"]);
  });
});

describe("the list of what tarballs hold", () => {
  const tarball = join(folder, "a-1.0.0.tgz");
  writeFileSync(tarball, "tarball");
  const root = { version: "1.0.0", repository: readManifest(".").repository };
  const one = (name: string, rest: object) => ({
    name,
    tarball,
    executables: new Set<string>(),
    files: new Map([
      ["package.json", Buffer.from("{}")],
      ["dist/index.js", Buffer.from(name)],
    ]),
    manifest: {
      name,
      version: "1.0.0",
      license: "MIT",
      homepage: "https://example.com/",
      repository: { url: root.repository!.url, directory: `packages/${name}` },
      ...rest,
    },
  });
  const other = { name: "zod", version: "4.0.0", license: "MIT", origin: "npm" };
  const linked = { name: "libc++", version: "1", license: "MIT", origin: "https://example.com/" };
  const document = spdxDocument(
    [
      one("@a/one", { os: ["linux"] }),
      one("@a/two", { dependencies: { zod: "4" }, optionalDependencies: { "@a/one": "1.0.0" } }),
    ],
    {
      root,
      created: new Date("2026-01-02T03:04:05.678Z"),
      componentOf: () => other,
      linkedWith: ({ manifest }) => (manifest.os === undefined ? [] : [linked]),
    },
  );

  it("has what SPDX 2.3 demands of a document, its packages and its files", () => {
    expect(document).toMatchObject({
      spdxVersion: "SPDX-2.3",
      dataLicense: "CC0-1.0",
      SPDXID: "SPDXRef-DOCUMENT",
      name: "mm-ptx-1.0.0",
      documentNamespace: expect.stringMatching(/^https:\/\/[^#\s]+$/),
      creationInfo: { created: "2026-01-02T03:04:05Z", creators: expect.any(Array) },
    });
    for (const each of document.packages) {
      expect(each.name).toBeTruthy();
      expect(each.downloadLocation).toMatch(/^(?:git\+https:|https:|NOASSERTION$)/);
      if (each.filesAnalyzed)
        expect(each.packageVerificationCode.packageVerificationCodeValue).toMatch(/^[0-9a-f]{40}$/);
    }
    for (const file of document.files) {
      expect(file.fileName).toMatch(/^\.\//);
      expect(file.checksums[0]).toEqual({
        algorithm: "SHA1",
        checksumValue: expect.stringMatching(/^[0-9a-f]{40}$/),
      });
    }
    expect(document.packages).toHaveLength(4);
    expect(document.files).toHaveLength(4);
  });

  it("identifies everything once, and relates only what it has", () => {
    const ids = [document, ...document.packages, ...document.files].map(({ SPDXID }) => SPDXID);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
    const relations = document.relationships.map(
      ({ spdxElementId, relationshipType, relatedSpdxElement }: Record<string, string>) => {
        expect(ids).toContain(spdxElementId);
        expect(ids).toContain(relatedSpdxElement);
        return `${spdxElementId} ${relationshipType} ${relatedSpdxElement}`;
      },
    );
    expect(relations).toContain("SPDXRef-DOCUMENT DESCRIBES SPDXRef-Package-a-two-1.0.0");
    expect(relations).toContain("SPDXRef-Package-a-two-1.0.0 DEPENDS_ON SPDXRef-Other-zod-4.0.0");
    expect(relations).toContain(
      "SPDXRef-Package-a-one-1.0.0 OPTIONAL_DEPENDENCY_OF SPDXRef-Package-a-two-1.0.0",
    );
    expect(relations).toContain("SPDXRef-Package-a-one-1.0.0 STATIC_LINK SPDXRef-Other-libc-1");
  });

  it("computes the verification code as the standard says", () => {
    const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");
    const expected = sha1([sha1("{}"), sha1("@a/two")].sort().join(""));
    expect(document.packages[1].packageVerificationCode.packageVerificationCodeValue).toBe(expected);
  });
});

describe("the changelog", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\nBy hand.\n\n## [1.0.0] - 2026-01-01\n\nThe first.\n";

  it("has a section for each version", () => {
    expect(sectionOf(changelog, "Unreleased")).toBe("By hand.");
    expect(sectionOf(changelog, "1.0.0")).toBe("The first.");
    expect(sectionOf(changelog, "2.0.0")).toBeUndefined();
  });

  it("closes what is unreleased, and lists the changes by what they mean for users", () => {
    const changes = [
      { kind: "patch" as const, summary: "Copies work." },
      { kind: "major" as const, summary: "Renamed.\n\nDetails." },
    ];
    const closed = closeUnreleased(changelog, { version: "2.0.0", date: "2026-02-03", changes });
    expect(closed).toBe(
      "# Changelog\n\n## [Unreleased]\n\n## [2.0.0] - 2026-02-03\n\n### Breaking\n\n- Renamed.\n\n  Details.\n\n" +
        "### Fixed\n\n- Copies work.\n\nBy hand.\n\n## [1.0.0] - 2026-01-01\n\nThe first.\n",
    );
    expect(sectionOf(closed, "Unreleased")).toBe("");
    expect(() => closeUnreleased(closed, { version: "2.0.0", date: "2026-02-03", changes })).toThrow(
      "expected no heading [2.0.0] in the changelog, found one",
    );
    expect(() => closeUnreleased(closed, { version: "3.0.0", date: "2026-02-03", changes: [] })).toThrow(
      "expected changes to release, found none",
    );
  });

  it.each([
    ["0.1.0", "", "0.1.0"],
    ["0.1.0", "patch", "0.1.1"],
    ["0.1.1", "minor patch", "0.2.0"],
    ["0.2.3", "major", "0.3.0"],
    ["1.2.3", "patch major", "2.0.0"],
    ["1.2.3", "minor", "1.3.0"],
  ])("leads from %s with `%s` to %s", (version, kinds, next) => {
    const changes = kinds
      .split(" ")
      .filter((kind) => kind !== "")
      .map((kind) => ({ kind: kind as "major" | "minor" | "patch" }));
    expect(nextVersion(version, changes)).toBe(next);
  });

  it("is cut into notes whose links work outside of the repository", () => {
    const notes = releaseNotes(ROOT, readManifest(".").version);
    expect(notes.length).toBeGreaterThan(100);
    expect(relativeLinks(notes)).toEqual([]);
    expect(absoluteLinks("[a](b.md#c) [d](https://e/f) [g](#h)", "https://x")).toBe(
      "[a](https://x/b.md#c) [d](https://e/f) [g](#h)",
    );
  });
});
