// A host with a strict content security policy, without `wasm-unsafe-eval` and without cross-origin isolation.

import { open as openLink, settled, textOf } from "./page.mjs";
import { serveFolder } from "./server.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/** What docs/guide/playground.md recommends. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * @param {string} folder
 * @returns {Record<string, Check>}
 */
export function policyChecks(folder) {
  return {
    "it runs where a policy forbids WebAssembly and style elements": async ({ page }) => {
      const served = await serveFolder(folder, { headers: { "content-security-policy": POLICY } });
      try {
        /** @type {string[]} */
        const problems = [];
        await page.evaluateOnNewDocument(() => {
          const violated = /** @type {string[]} */ ([]);
          Object.assign(globalThis, { violated });
          addEventListener("securitypolicyviolation", ({ effectiveDirective, sourceFile }) =>
            violated.push(`${effectiveDirective} in ${sourceFile}`),
          );
        });
        for (const name of ["gelu", "reduction", "median"]) {
          await openLink(page, `${served.url}#${name}`);
          await settled(page);
          const said = await textOf(page, ".outcome");
          if (!said.includes("in the interpreter"))
            problems.push(`expected ${name} in the interpreter, found \`${said}\``);
          const isolated = await page.evaluate(() => crossOriginIsolated);
          if (isolated) problems.push("expected a page that is not isolated");
        }
        const violated = await page.evaluate(
          () => /** @type {{ violated: string[] }} */ (/** @type {unknown} */ (globalThis)).violated,
        );
        const unexpected = violated.filter((one) => !one.startsWith("script-src"));
        return [...problems, ...unexpected.map((one) => `the policy forbids ${one}`)];
      } finally {
        await served.close();
      }
    },
  };
}
