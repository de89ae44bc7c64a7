// Lists what tarballs hold as an SPDX 2.3 document: every file with its checksums, the terms of each package, the packages
// that each depends on, and the code of others that binaries are linked with.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** @typedef {import("./pack.mjs").Packed} Packed */
/** @typedef {{ name: string, version: string, license: string, origin: string }} Component code of others */
/** @typedef {{ root: any, created: Date, componentOf: (dependency: string, dependent: string) => Component, linkedWith: (packed: Packed) => readonly Component[] }} SpdxSources */

const UNKNOWN = "NOASSERTION";
const OURS = "Copyright (c) 2026 The mm-ptx authors";

/** @param {string} algorithm @param {Buffer | string} bytes */
const digest = (algorithm, bytes) => createHash(algorithm).update(bytes).digest("hex");

/** @param {string[]} parts */
const idOf = (...parts) => `SPDXRef-${parts.join("-").replace(/[^A-Za-z0-9.]+/g, "-")}`;

/** @param {string} name @param {string} version */
const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** @param {string} locator */
const reference = (locator) => ({
  referenceCategory: "PACKAGE-MANAGER",
  referenceType: "purl",
  referenceLocator: locator,
});

/**
 * @param {Packed} packed
 * @param {string} id
 */
function filesOf({ name, files, manifest }, id) {
  return [...files].map(([path, bytes], index) => ({
    SPDXID: `${id}-File-${index + 1}`,
    fileName: `./${path}`,
    checksums: [
      { algorithm: "SHA1", checksumValue: digest("sha1", bytes) },
      { algorithm: "SHA256", checksumValue: digest("sha256", bytes) },
    ],
    licenseConcluded: manifest.license,
    licenseInfoInFiles: [UNKNOWN],
    copyrightText: OURS,
    comment: `of ${name}`,
  }));
}

/**
 * @param {Packed} packed
 * @param {string} id
 * @param {readonly { checksums: readonly { checksumValue: string }[] }[]} files
 */
function packageOf({ name, manifest, tarball }, id, files) {
  const sums = files.map(({ checksums }) => checksums[0]?.checksumValue ?? "").sort();
  return {
    SPDXID: id,
    name,
    versionInfo: manifest.version,
    packageFileName: basename(tarball),
    supplier: "Organization: The mm-ptx authors",
    downloadLocation: `${manifest.repository.url}#${manifest.repository.directory}`,
    homepage: manifest.homepage,
    filesAnalyzed: true,
    packageVerificationCode: { packageVerificationCodeValue: digest("sha1", sums.join("")) },
    checksums: [{ algorithm: "SHA512", checksumValue: digest("sha512", readFileSync(tarball)) }],
    licenseConcluded: manifest.license,
    licenseDeclared: manifest.license,
    licenseInfoFromFiles: [UNKNOWN],
    copyrightText: OURS,
    externalRefs: [reference(purl(name, manifest.version))],
  };
}

/** @param {Component} component */
const otherPackage = ({ name, version, license, origin }) => ({
  SPDXID: idOf("Other", name, version),
  name,
  versionInfo: version,
  downloadLocation: origin.startsWith("https:") ? origin : UNKNOWN,
  filesAnalyzed: false,
  licenseConcluded: license,
  licenseDeclared: license,
  copyrightText: UNKNOWN,
  ...(origin === "npm" ? { externalRefs: [reference(purl(name, version))] } : {}),
});

/**
 * @param {readonly Packed[]} all
 * @param {SpdxSources} sources `root`: the manifest of the repository; `componentOf`: a dependency as it is installed
 * @returns {any} the document
 */
export function spdxDocument(all, { root, created, componentOf, linkedWith }) {
  /** @type {any[]} */
  const packages = [];
  /** @type {any[]} */
  const files = [];
  /** @type {{ spdxElementId: string, relationshipType: string, relatedSpdxElement: string }[]} */
  const relationships = [];
  /** @type {Map<string, any>} */
  const others = new Map();
  const relate = (/** @type {string} */ from, /** @type {string} */ type, /** @type {string} */ to) =>
    relationships.push({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to });
  const other = (/** @type {Component} */ component) => {
    const made = otherPackage(component);
    others.set(made.SPDXID, made);
    return made.SPDXID;
  };
  const ids = new Map(all.map(({ name, manifest }) => [name, idOf("Package", name, manifest.version)]));
  for (const packed of all) {
    const id = /** @type {string} */ (ids.get(packed.name));
    const own = filesOf(packed, id);
    packages.push(packageOf(packed, id, own));
    files.push(...own);
    relate("SPDXRef-DOCUMENT", "DESCRIBES", id);
    for (const { SPDXID } of own) relate(id, "CONTAINS", SPDXID);
    const { dependencies = {}, optionalDependencies = {} } = packed.manifest;
    for (const name of Object.keys(dependencies))
      relate(id, "DEPENDS_ON", ids.get(name) ?? other(componentOf(name, packed.name)));
    for (const name of Object.keys(optionalDependencies)) {
      const optional = ids.get(name);
      if (optional !== undefined) relate(optional, "OPTIONAL_DEPENDENCY_OF", id);
    }
    for (const component of linkedWith(packed)) relate(id, "STATIC_LINK", other(component));
  }
  const contents = digest("sha256", packages.map((one) => one.checksums[0].checksumValue).join(""));
  const web = root.repository.url.replace(/^git\+(.*)\.git$/, "$1");
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `mm-ptx-${root.version}`,
    documentNamespace: `${web}/spdx/${root.version}/${contents.slice(0, 32)}`,
    creationInfo: {
      created: created.toISOString().replace(/\.\d+Z$/, "Z"),
      creators: ["Organization: The mm-ptx authors", `Tool: mm-ptx-release-${root.version}`],
    },
    packages: [...packages, ...others.values()],
    files,
    relationships,
  };
}
