// A host with a strict content security policy, without `wasm-unsafe-eval` and without cross-origin isolation.

import { settled } from "./page.mjs";
import { serveFolder } from "./server.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/** What docs/guide/playground.md recommends. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * @param {string} folder
 * @returns {Record<string, Check>}
 */
export function policyChecks(folder) {
  return {
    "it runs where a policy forbids WebAssembly": async ({ page, open }) => {
      const served = await serveFolder(folder, { headers: { "content-security-policy": POLICY } });
      try {
        const problems = [];
        for (const name of ["gelu", "reduction", "median"]) {
          await open(`${served.url}#${name}`);
          await settled(page);
          const said = await page.$eval(".outcome", (outcome) => outcome.textContent ?? "");
          if (!said.includes("in the interpreter"))
            problems.push(`expected ${name} in the interpreter, found \`${said}\``);
          const isolated = await page.evaluate(() => crossOriginIsolated);
          if (isolated) problems.push("expected a page that is not isolated");
        }
        return problems;
      } finally {
        await served.close();
      }
    },
  };
}
