// The calls of JavaScript that lead to an allocation.
import type { HostFrame } from "../run/finding.js";

const MOST_FRAMES = 6;

/** This file below the folder of the package's modules; a bundle has others. */
const OWN = /device\/host-frames\.[jt]s$/;

/**
 * The calls around this one that do not belong to this package, the innermost first; empty if the engine does not
 * report them.
 */
export function hostFrames(): readonly HostFrame[] {
  const lines = (new Error().stack ?? "").split("\n");
  const [own, ...frames] = lines.flatMap((line) => frameOf(line) ?? []);
  if (own === undefined) return [];
  const folder = own.file.replace(OWN, "");
  const isOwn = ({ file }: HostFrame) => folder !== own.file && file.startsWith(folder);
  return frames.filter((frame) => !isOwn(frame)).slice(0, MOST_FRAMES);
}

/** `    at name (file:1:2)` of V8, and `name@file:1:2` of other engines. */
function frameOf(line: string): HostFrame | undefined {
  const found = /^\s*(?:at (?:(.*?) \()?|(?:(.*)@))?(?:async )?([^()]*?):(\d+):(\d+)\)?\s*$/.exec(line);
  if (found === null) return undefined;
  const name = found[1] ?? found[2];
  const file = pathOf(found[3]!);
  if (file.startsWith("node:")) return undefined;
  return {
    file,
    line: Number(found[4]),
    column: Number(found[5]),
    ...(name ? { function: name.replace(/^async /, "") } : {}),
  };
}

/** File URLs as paths. */
function pathOf(place: string): string {
  return place.startsWith("file://") ? decodeURI(place.slice("file://".length)) : place;
}
