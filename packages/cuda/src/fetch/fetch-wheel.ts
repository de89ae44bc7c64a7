// Fetches wheels into their folders.

import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { examineFolder } from "../cache/trust.js";
import { byHand, download } from "./download.js";
import { type Installed, install, licenseIn, sha256Of } from "./install.js";
import { FetchProblem } from "./problem.js";
import type { Watch } from "./watch.js";
import type { Wheel } from "./wheel.js";

/** A wheel, and where its contents are kept. */
export interface WheelPlace {
  readonly wheel: Wheel;
  readonly folder: string;
  /** Whether what is there works; if not, it is fetched again. */
  readonly isSound: (library: string) => boolean;
}

/** A file that was downloaded elsewhere. */
export interface WheelContent {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The contents of a wheel in their folder. */
export interface FetchedWheel extends Installed {
  readonly wheel: Wheel;
  /** Whether it was there before. */
  readonly already: boolean;
}

/** Where wheels come from, and what shows the progress. */
export interface FetchOptions {
  /** Wheels that were downloaded elsewhere: only these are unpacked, and nothing is downloaded. */
  readonly files: readonly WheelContent[];
  /** The command that fetches these wheels, for messages. */
  readonly command: string;
  readonly watch: Watch;
}

/** @throws FetchProblem */
export async function fetchWheels(
  places: readonly WheelPlace[],
  { files, command, watch }: FetchOptions,
): Promise<FetchedWheel[]> {
  // All are there and checked before the first one is unpacked.
  const contents = new Map<WheelPlace, Uint8Array>();
  if (files.length > 0) {
    for (const file of files) contents.set(placeOf(file, places), file.bytes);
    return [...contents].map(([place, bytes]) => unpacked(place, bytes));
  }
  for (const { folder } of places) refuseUnsafe(folder);
  const missing = places.filter((place) => !isThere(place)).map(({ wheel }) => wheel);
  try {
    for (const place of places)
      if (missing.includes(place.wheel)) contents.set(place, await download(place.wheel, watch));
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error;
    throw new FetchProblem(`${error.message}\n${byHand(missing, command)}`);
  } finally {
    watch.end();
  }
  return places.map((place) => {
    const bytes = contents.get(place);
    return bytes === undefined ? found(place) : unpacked(place, bytes);
  });
}

const libraryOf = ({ wheel, folder }: WheelPlace): string => join(folder, wheel.library);

const isThere = (place: WheelPlace): boolean =>
  existsSync(libraryOf(place)) && place.isSound(libraryOf(place));

const found = (place: WheelPlace): FetchedWheel => ({
  wheel: place.wheel,
  library: libraryOf(place),
  already: true,
  license: licenseIn(place.folder),
  licenseText: "",
});

function unpacked({ wheel, folder }: WheelPlace, bytes: Uint8Array): FetchedWheel {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  refuseUnsafe(folder);
  return { wheel, ...install(wheel, bytes, folder), already: false };
}

/** Nobody else may write to what is loaded or started later. */
function refuseUnsafe(folder: string): void {
  for (const each of [dirname(folder), folder]) {
    const problem = examineFolder(each)?.problem;
    if (problem !== undefined) throw new FetchProblem(problem);
  }
}

/** The place of a file, which its contents tell. @throws FetchProblem */
function placeOf({ name, bytes }: WheelContent, places: readonly WheelPlace[]): WheelPlace {
  const found = sha256Of(bytes);
  const known = places.find(({ wheel }) => wheel.platforms.has(found));
  if (known?.wheel.sha256 === found) return known;
  if (known !== undefined) {
    const { file, platforms, sha256 } = known.wheel;
    throw new FetchProblem(
      `expected ${file}, the wheel for ${platforms.get(sha256)}, found ${quoted(name)}, the one for ${platforms.get(found)}`,
    );
  }
  const wanted = places.map(({ wheel }) => `${wheel.file} with SHA-256 ${wheel.sha256}`).join(" or ");
  throw new FetchProblem(
    `expected ${wanted}, found ${quoted(name)} with ${found}: it is another file, or damaged`,
  );
}
