// The demo of hash functions with ten seeds and ten minutes of one thread each: the exact bias, over all 2^32 inputs, of the best function of
// two rounds. Each finished seed is stored; the named benchmark goes on with the others:
//   npm run bench -- search-hash
// The pictures of each seed are in out/bench. HASH_SECONDS is the CPU time for each seed (600), HASH_SEEDS how many there are (10).

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hashDemo } from "@mm-ptx/search/node";
import { isNamed, stored } from "./lib/stored.mjs";

const NAME = "search-hash";
const FOLDER = fileURLToPath(new URL("../out/bench/", import.meta.url));
const SECONDS = Number(process.env.HASH_SECONDS ?? 600);
const SEEDS = Number(process.env.HASH_SEEDS ?? 10);
/** The exact bias of lowbias32 (Wellons 2018), of the best function known (skeeto/hash-prospector, issue 19), and what some seeds should reach. */
const LOWBIAS32 = 0.17353355999581582;
const BEST_KNOWN = 0.10734781817103507;
const GOOD = 0.12;
const GOOD_SEEDS = 3;
/** No run takes as long by the clock. */
const FOREVER = 1e6;
/** CPU seconds between two lines about how far a seed is. */
const REPORT_SECONDS = 30;

const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function result(seed) {
  const began = processorSeconds();
  const stop = new AbortController();
  let evolved;
  let next = REPORT_SECONDS;
  const found = await hashDemo({
    seconds: FOREVER,
    seed,
    workers: 1,
    signal: stop.signal,
    progress: (line) => {
      if (evolved !== undefined) return;
      const taken = processorSeconds() - began;
      if (taken >= next) {
        next = taken + REPORT_SECONDS;
        console.error(`seed ${seed}, ${taken.toFixed(0)} CPU s: ${line.replace(/^.*?: |, [^,]*$/g, "")}`);
      }
      if (taken < SECONDS) return;
      evolved = taken;
      stop.abort();
    },
  });
  const { text, estimate, bias } = found.found;
  const folder = `${FOLDER}${NAME}-${SECONDS}-${seed}`;
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(found.files)) writeFileSync(join(folder, file), content);
  return {
    ...{ text, estimate, bias, compared: found.compared, seconds: evolved },
    exactSeconds: processorSeconds() - began - evolved,
  };
}

export async function run() {
  const results = stored(NAME);
  const keyOf = (seed) => `${SECONDS}/${seed}`;
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
  for (const seed of isNamed(NAME) ? seeds : []) {
    if (results.get(keyOf(seed)) === undefined) results.put(keyOf(seed), await result(seed));
  }
  const done = seeds.flatMap((seed) => {
    const found = results.get(keyOf(seed));
    return found === undefined ? [] : [{ seed, ...found }];
  });
  for (const { seed, text, bias, estimate, compared, exactSeconds } of done) {
    console.error(
      `seed ${seed}: ${text}, exact bias ${bias.toFixed(5)} (estimate ${estimate.toFixed(4)}), ${compared} functions, exact count ${exactSeconds.toFixed(1)} CPU s`,
    );
  }
  const biases = done.map(({ bias }) => bias);
  const good = biases.filter((bias) => bias <= GOOD).length;
  const isWhole = done.length >= SEEDS;
  return [
    {
      name: `hash functions of two rounds, ${SECONDS} CPU s: the greatest exact bias of ${done.length} seeds against that of lowbias32`,
      ours: done.length === 0 ? undefined : Math.max(...biases),
      yardstick: LOWBIAS32,
      ratio: done.length === 0 ? undefined : Math.max(...biases) / LOWBIAS32,
      budget: LOWBIAS32,
      pass: isWhole ? Math.max(...biases) < LOWBIAS32 : undefined,
      hard: false,
    },
    {
      name: "the least of these biases against the best known",
      ours: done.length === 0 ? undefined : Math.min(...biases),
      yardstick: BEST_KNOWN,
      ratio: done.length === 0 ? undefined : Math.min(...biases) / BEST_KNOWN,
      hard: false,
    },
    {
      name: `seeds of ${done.length} with an exact bias of at most ${GOOD}`,
      ours: good,
      yardstick: SEEDS,
      ratio: good / SEEDS,
      budget: GOOD_SEEDS,
      pass: isWhole ? good >= GOOD_SEEDS : undefined,
      hard: false,
    },
  ];
}
