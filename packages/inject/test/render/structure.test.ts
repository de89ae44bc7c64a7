// What a stub must not do to the text around it, and where the error locates it.
import { describe, expect, test } from "vitest";
import { parsePtx } from "../../src/index.js";
import { errorOf, site } from "../support/helpers.js";

const annotated = parsePtx(`{\n${site("func")}}\n`);
const check = (func: string) => annotated.render({ func });

describe("INVALID_STUB", () => {
  test.each([
    ["a closing brace too many", "\t}\n\t{", 1, "expected a `{` for every `}`"],
    ["a brace left open", "\t{\n\t{ }", 1, "expected `}` for this brace"],
    ["the innermost of several", "{\n{", 2, "expected `}` for this brace"],
    ["a brace that is closed in a comment", "{ // }", 0, "expected `}` for this brace"],
    ["a comment left open", "a /* } \n // */ /*/", 15, "expected `*/` for this comment"],
    ["a brace after a comment and a slash", "/**// {", 6, "expected `}` for this brace"],
    ["a string left open", '"a" // "\n "}', 10, 'expected `"` for this string'],
    ["a start marker", "// // PTX_INJECT_START f", 3, "expected no marker, found `// PTX_INJECT_START`"],
    ["an end marker", '"// PTX_INJECT_END"', 1, "expected no marker, found `// PTX_INJECT_END`"],
  ])("is thrown for %s", (_, stub, start, message) => {
    const error = errorOf(() => check(stub));
    expect(error.code).toBe("INVALID_STUB");
    expect(error.message).toContain(`stub of \`func\`: ${message}`);
    expect(error.span?.start).toBe(start);
    expect(error.message).toMatch(/\n {4}\d \| .*\n {6}\| [ \t]*\^+$/);
    expect(errorOf(() => annotated.renderInto({ func: stub }, new Uint8Array(100))).message).toBe(
      error.message,
    );
    expect(annotated.render({ func: stub }, { check: false })).toBe(`{\n${stub}\n}\n`);
  });

  test.each([
    "",
    "\t{\n\t{ }\n\t}\n",
    "// }",
    '// /* "',
    '/* // } " */ { } /**/',
    '.pragma "}\n{\\";',
    "//PTX_INJECT_START PTX_INJECT_END",
    "mov.b64 {%a, %b}, %c;",
    "\r",
    "// \r }\n",
    "/",
    "a / b",
  ])("is not thrown for %j", (stub) => {
    expect(check(stub)).toBe(`{\n${stub}\n}\n`);
  });
});
