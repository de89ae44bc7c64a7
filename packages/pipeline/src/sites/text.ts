// Sites that are filled with PTX by hand or by a generator of the caller's.
import { describeValue } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import { textWriter } from "./ast.js";
import type { Site } from "./site.js";

/**
 * A site that is filled with text: a program is PTX that reads and writes the site's registers, `%_x0` and so on. Text that would change
 * what is around it, for example with an extra brace, fails alone with INVALID_STUB. It has a scope of its own, so that its registers and
 * labels hide those of the kernel from nothing but itself.
 */
export function textSite(): Site<string> {
  return {
    kind: "text",
    bind(annotated, { name }) {
      return textWriter((program) => {
        if (typeof program !== "string")
          throw new PipelineError(
            "INVALID_ARGUMENT",
            `expected a stub as text for site \`${name}\`, found ${describeValue(program)}`,
          );
        // Refuses what would change the text around the stub.
        annotated.fill({ [name]: program }, { missing: "empty" });
        // In a scope of its own, as in a pack of alternatives. The last line may be a comment.
        return `{${program}\n}`;
      });
    },
  };
}
