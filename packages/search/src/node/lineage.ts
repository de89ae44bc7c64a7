// Where an elite comes from: its ancestors in the log of a run.
import { describeValue } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import type { LoggedElite } from "./log-lines.js";
import { readGroups } from "./log-reader.js";
import { RunFolder } from "./run-folder.js";

/**
 * An elite of a run and all its ancestors, the oldest first. Parents have smaller serial numbers than their children.
 *
 * @param serial the serial number of the elite
 * @throws SearchError NOT_FOUND if the log has no such elite, FILE_FORMAT, RECORD, INVALID_ARGUMENT
 */
export async function readLineage(path: string, serial: number): Promise<readonly LoggedElite[]> {
  if (!Number.isSafeInteger(serial) || serial < 0)
    throw new SearchError("INVALID_ARGUMENT", `expected a serial number, found ${describeValue(serial)}`);
  const folder = new RunFolder(path);
  folder.describe();
  return folder.withLog((file) => {
    // The log of a long run is larger than memory, so it is read twice: for parents, and for those that are ancestors.
    const parents = new Map<number, readonly number[]>();
    for (const elite of elitesOf(file, folder.logPath, (each) => each <= serial))
      parents.set(elite.elite, elite.parents);
    if (!parents.has(serial))
      throw new SearchError(
        "NOT_FOUND",
        `expected an elite with the serial number ${serial} in the log of \`${path}\`, found none`,
      );
    const ancestors = new Set([serial]);
    for (const each of ancestors) for (const parent of parents.get(each) ?? []) ancestors.add(parent);
    return [...elitesOf(file, folder.logPath, (each) => ancestors.has(each))].sort(
      (a, b) => a.elite - b.elite,
    );
  });
}

const SERIAL = /^\{"elite":(\d+)/;

function* elitesOf(
  file: number,
  path: string,
  isWanted: (serial: number) => boolean,
): Generator<LoggedElite, void, undefined> {
  for (const { elites } of readGroups(file, 0, path))
    for (const line of elites)
      if (isWanted(Number(SERIAL.exec(line)![1]))) yield JSON.parse(`${line}}`) as LoggedElite;
}
