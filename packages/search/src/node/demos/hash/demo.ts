// The demo of hash functions: evolution by estimates of their bias, then the exact bias of the best one over all 2^32 inputs.

import { availableParallelism } from "node:os";
import { CodeBuffer } from "@mm-ptx/types/code";
import { isFunction, isNumber, isSignal, isWhole } from "@mm-ptx/types/internal";
import { Draws } from "../../../draws.js";
import { SearchError } from "../../../error.js";
import { readOptions } from "../../../options.js";
import { archiveHeatmap } from "../../../pictures/heat-map.js";
import { svgToPng } from "../../svg-to-png.js";
import { ALL_PAIRS, AvalancheCounter, BLOCK_PAIRS, biasOf } from "./avalanche.js";
import { hashSearch } from "./evolution.js";
import { type HashFunction, hashC, hashStub, hashText, KNOWN_HASHES } from "./hash-function.js";
import { type AvalanchePanel, avalanchePicture } from "./pictures.js";
import { hashOf, hashSpace, ROUNDS } from "./space.js";
import { CountingThreads } from "./threads.js";

/** Options of `hashDemo`. */
export interface HashDemoOptions {
  /** How long evolution takes; 60 by default. The exact count takes 20 to 40 seconds of one thread more. */
  readonly seconds?: number;
  /** The default is 1. */
  readonly seed?: number;
  /** The number of threads; by default 2, or 1 on machines with one core. */
  readonly workers?: number;
  /** Receives a line about once a second. */
  readonly progress?: (line: string) => void;
  /** Ends evolution; the best function up to then is counted exactly. */
  readonly signal?: AbortSignal;
}

/** The best function that evolution found. */
export interface FoundHash {
  readonly hash: HashFunction;
  /** Its shifts and multipliers in turn, multipliers in hexadecimal digits. */
  readonly text: string;
  /** The bias by which evolution judged it. */
  readonly estimate: number;
  /** The bias over all 2^32 inputs. */
  readonly bias: number;
}

/** What `hashDemo` found. */
export interface HashResult {
  readonly found: FoundHash;
  /** How many functions were compared, and the seconds that evolution and the exact count took. */
  readonly compared: number;
  readonly seconds: number;
  readonly exactSeconds: number;
  /** The result as text, and pictures and code by the names of their files. */
  readonly lines: readonly string[];
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** The blocks of the estimates that pictures show: 16.8 million pairs for each input bit. */
const SHOWN_BLOCKS = 2 ** 12;
const PROGRESS_SECONDS = 1;
const SECONDS = 60;

/**
 * Lets evolution write hash functions of 32 bits for a minute, and counts over all 2^32 inputs how far the best one is from flipping each
 * output bit for half of them when an input bit flips.
 * @throws SearchError INVALID_ARGUMENT, and ABORTED if the signal was aborted before a function was compared
 */
export async function hashDemo(options: HashDemoOptions = {}): Promise<HashResult> {
  const read = readOptions<HashDemoOptions>(
    options,
    {
      seconds: isNumber(0.1, 1e6),
      seed: isWhole(0, 2 ** 32 - 1),
      workers: isWhole(1, 64),
      progress: isFunction,
      signal: isSignal,
    },
    { of: "hashDemo" },
  );
  const threads = new CountingThreads(read.workers ?? Math.min(2, availableParallelism()));
  try {
    return await evolveHash(threads, read);
  } finally {
    threads.end();
  }
}

/** The demo on threads that exist. */
export async function evolveHash(
  threads: Pick<CountingThreads, "race" | "countAll">,
  options: HashDemoOptions,
): Promise<HashResult> {
  const { seconds = SECONDS, seed = 1, progress = () => {}, signal } = options;
  const { search, archive } = hashSearch(seed, threads);
  let next = PROGRESS_SECONDS;
  let taken = 0;
  let compared = 0;
  for await (const event of search.run({ seconds, ...(signal && { signal }) })) {
    if (event.type === "end") continue;
    taken = event.seconds;
    compared += event.batch.candidates.count;
    if (taken < next) continue;
    next = taken + PROGRESS_SECONDS;
    const left = Math.max(0, Math.round(seconds - taken));
    progress(
      `${Math.round(taken)} s: ${compared.toLocaleString("en")} functions, bias about ${(-(event.best ?? 0)).toFixed(3)}, ${left} s left`,
    );
  }
  if (archive.best < 0) throw new SearchError("ABORTED", "the demo ended before a function was compared");
  const rows = archive.rows();
  const { words, offsets } = rows.genomes;
  const functions = Array.from({ length: rows.count }, (_, elite) =>
    hashOf(words.subarray(offsets[elite], offsets[elite + 1])),
  );
  const hash = functions[archive.best]!;
  const estimate = -rows.objective[archive.best]!;
  const began = performance.now();
  const counts = await threads.countAll(hash, {
    progress: (done) => progress(`all 2^32 inputs: ${Math.floor(100 * done)} %`),
  });
  const exactSeconds = (performance.now() - began) / 1000;
  const bias = biasOf(counts);
  const text = hashText(hash);
  const shown = bias.toFixed(5);
  const lines = [
    `${text}`,
    `bias ${shown} over all 2^32 inputs, counted in ${exactSeconds.toFixed(0)} s (evolution's estimate: ${estimate.toFixed(3)})`,
    `${compared.toLocaleString("en")} functions of two rounds in ${Math.round(taken)} s, seed ${seed}, ${rows.count} combinations of shifts`,
    "",
    ...KNOWN_HASHES.map((known) => `${known.bias.toFixed(5)}  ${known.label}: ${hashText(known)}`),
    `${shown}  this one: ${text}`,
    "",
    "The bias says how far input bits are from flipping each output bit for half of all inputs, in thousandths. It is not quality:",
    "functions with a lower bias can fail more statistical tests. PractRand was not run.",
    "",
    hashC(hash, "hash32"),
  ];
  const oneRound = { shifts: hash.shifts.slice(0, 2), multipliers: hash.multipliers.slice(0, 1) };
  const first = firstHash(seed);
  const picture = {
    title: "How input bits flip output bits",
    note: "The bias of each pair of bits, in thousandths: 0 if the one flips the other for half of all inputs, 1,000 if always or never.",
  };
  const panels = [
    sampled("one round", oneRound),
    sampled("first function drawn", first),
    { title: `evolved: bias ${shown}`, note: text, biases: biasesOf(counts, ALL_PAIRS) },
  ];
  return {
    ...{
      found: { hash, text, estimate, bias },
      compared,
      seconds: taken,
      exactSeconds,
    },
    lines,
    files: {
      "avalanche.svg": avalanchePicture(panels, picture),
      ...(await images(panels, picture)),
      "map.svg": archiveHeatmap(rows, archive.axes, {
        title: "The bias of hash functions by their shifts",
        value: { negated: true, name: "bias", better: "less", scale: "log" },
        texts: functions.map(hashText),
        marks: KNOWN_HASHES.filter(({ multipliers }) => multipliers.length === ROUNDS).map((known) => ({
          label: known.label,
          measures: known.shifts,
          value: known.bias,
        })),
      }),
      "hash.c": `#include <stdint.h>\n\n${hashC(hash, "hash32")}\n`,
      "stub.ptx": `${hashStub(hash)}\n`,
    },
  };
}

/** The picture as PNG files for light and dark pages, if there is what draws them. */
async function images(
  panels: readonly AvalanchePanel[],
  words: { readonly title: string; readonly note: string },
): Promise<Record<string, Uint8Array>> {
  const png = (theme: "light" | "dark") => svgToPng(avalanchePicture(panels, { ...words, theme }));
  try {
    return { "avalanche.png": await png("light"), "avalanche-dark.png": await png("dark") };
  } catch (error) {
    if (error instanceof SearchError && error.code === "MISSING_PACKAGE") return {};
    throw error;
  }
}

/** The bias of each pair of bits. */
const biasesOf = (counts: Uint32Array, pairs: number): Float64Array =>
  Float64Array.from(counts, (count) => Math.abs(1000 * ((2 * count) / pairs - 1)));

/** An avalanche of a sample of inputs. */
function sampled(title: string, hash: HashFunction): AvalanchePanel {
  const counter = new AvalancheCounter();
  counter.add(hash, 0, SHOWN_BLOCKS);
  const pairs = SHOWN_BLOCKS * BLOCK_PAIRS;
  return { title: `${title}: sample`, note: hashText(hash), biases: biasesOf(counter.counts, pairs) };
}

/** The first function that the search compares. */
function firstHash(seed: number): HashFunction {
  const draws = new Draws();
  draws.start(seed, 0, 0);
  const genome = new CodeBuffer();
  hashSpace().sample(draws, genome);
  return hashOf(genome.words.slice(genome.offsets[0], genome.offsets[1]));
}
