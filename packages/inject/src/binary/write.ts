// Writes a parsed text as bytes.
import { hexToBytes } from "@noble/hashes/utils.js";
import type { Scan, SiteGroup } from "../marked/scan.js";
import { checksumOf } from "./checksum.js";
import { checksumOfTables, DIRECTIONS, Header, MAGIC, OperandWord, tablesOf, VERSION } from "./layout.js";
import { encodeUtf8 } from "./utf8.js";

/** @throws PtxInjectError INVALID_ARGUMENT for a text that UTF-8 can't hold. */
export function writeBytes(text: string, scanned: Scan, fingerprint: string): Uint8Array {
  const { starts, ends, groupOf, legacy } = scanned;
  const textBytes = encodeUtf8(text);
  const { strings, groups, lists, operands } = tabulate(scanned.groups);
  const stringBytes = encodeUtf8(strings.text);
  const counts = {
    sites: starts.length,
    groups: scanned.groups.length,
    operands: operands.length / OperandWord.length,
    lists: lists.length,
    strings: strings.ends.length,
    stringBytes: stringBytes.length,
  };
  const tables = tablesOf(counts);
  const words = new Uint32Array(tables.text);
  const bytes = new Uint8Array(words.buffer);

  words.set(MAGIC, Header.magic);
  words[Header.version] = VERSION;
  bytes.set(hexToBytes(fingerprint), 4 * Header.fingerprint);
  words[Header.textBytes] = textBytes.length;
  words[Header.textUnits] = text.length;
  words[Header.textChecksum] = checksumOf(textBytes);
  words[Header.sites] = counts.sites;
  words[Header.groups] = counts.groups;
  words[Header.operands] = counts.operands;
  words[Header.lists] = counts.lists;
  words[Header.strings] = counts.strings;
  words[Header.stringBytes] = counts.stringBytes;
  words.set(starts, tables.starts);
  words.set(ends, tables.ends);
  words.set(groupOf, tables.groupOf);
  bytes.set(legacy, 4 * tables.legacy);
  words.set(groups, tables.groups);
  words.set(lists, tables.lists);
  words.set(operands, tables.operands);
  words.set(strings.ends, tables.strings);
  bytes.set(stringBytes, 4 * tables.stringBytes);
  words[Header.checksum] = checksumOfTables(words, tables.text);

  const whole = new Uint8Array(bytes.length + textBytes.length);
  whole.set(bytes);
  whole.set(textBytes, bytes.length);
  return whole;
}

/**
 * The tables of groups, operand lists, operands and strings; names of groups come first. Equal operand lists are stored
 * once.
 */
function tabulate(all: readonly SiteGroup[]) {
  const strings = new StringTable();
  const groups: number[] = [];
  const lists: number[] = [];
  const operands: number[] = [];
  const known = new Map<string, number>();
  for (const { name } of all) strings.indexOf(name);
  for (const { operands: list, movTypes } of all) {
    const words = list.flatMap((operand) => [
      strings.indexOf(operand.name),
      strings.indexOf(operand.register),
      strings.indexOf(operand.registerType),
      strings.indexOf(operand.type),
      DIRECTIONS.indexOf(operand.direction),
      movTypes === undefined ? 0 : strings.indexOf(movTypes[operand.index]!) + 1,
    ]);
    const key = words.join();
    let index = known.get(key);
    if (index === undefined) {
      index = lists.length;
      known.set(key, index);
      for (const word of words) operands.push(word);
      lists.push(operands.length / OperandWord.length);
    }
    groups.push(index);
  }
  return { strings, groups, lists, operands };
}

/** Concatenated texts, each stored once, and the end of each. */
class StringTable {
  text = "";
  readonly ends: number[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(text: string): number {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.ends.length;
      this.#indices.set(text, index);
      this.text += text;
      this.ends.push(this.text.length);
    }
    return index;
  }
}
