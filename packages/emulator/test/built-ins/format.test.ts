// The text of printf equals that of C.
import { describe, expect, it } from "vitest";
import { formatPrintf } from "../../src/built-ins/format.js";

/** Formats arguments in order: integers as bigints, texts and numbers as they are. */
function print(format: string, ...values: (bigint | number | string)[]): string {
  const next = () => values.shift();
  return formatPrintf(format, {
    integer: () => BigInt(next() as bigint),
    double: () => next() as number,
    text: () => next() as string,
  });
}

describe("printf", () => {
  it.each([
    ["plain %% text", [], "plain % text"],
    ["%d %i", [5n, 0xffffffffn], "5 -1"],
    ["%u", [0xffffffffn], "4294967295"],
    ["%5d|%-5d|%05d", [42n, 42n, 42n], "   42|42   |00042"],
    ["%+d % d %+d", [1n, 1n, 0xffffffffn], "+1  1 -1"],
    ["%.3d %.0d|", [7n, 0n], "007 |"],
    ["%x %X %#x %#o", [255n, 255n, 255n, 8n], "ff FF 0xff 010"],
    ["%08x", [0xbeefn], "0000beef"],
    ["%#.5o %#.0o %#06o", [8n, 0n, 8n], "00010 0 000010"],
    ["%lld %llu", [0xffffffffffffffffn, 0xffffffffffffffffn], "-1 18446744073709551615"],
    ["%hd %hu %hhd %hhx", [65537n, 65537n, 0x1ffn, 0x1ffn], "1 1 -1 ff"],
    ["%*d|%-*d", [4n, 7n, 4n, 7n], "   7|7   "],
    ["%c%c", [65n, 66n], "AB"],
    ["%s|%5s|%.2s", ["ab", "ab", "abc"], "ab|   ab|ab"],
    ["%p", [0x7f0000001000n], "0x7f0000001000"],
    ["%f", [3.25], "3.250000"],
    ["%.2f %.0f %.0f", [2.675, 0.5, 1.5], "2.67 0 2"],
    ["%f", [1e22], "10000000000000000000000.000000"],
    ["%8.3f|%-8.3f|%08.3f", [-1.5, -1.5, -1.5], "  -1.500|-1.500  |-001.500"],
    ["%e %.0e %E", [12345.678, 5e-324, 0], "1.234568e+04 5e-324 0.000000E+00"],
    ["%e", [9.9999999e9], "1.000000e+10"],
    ["%g %g %g %g", [100000, 1000000, 0.0001, 0.00001], "100000 1e+06 0.0001 1e-05"],
    ["%g %.3g %#g", [0.5, 1234.5, 1], "0.5 1.23e+03 1.00000"],
    ["%f %F %5.1f %e", [Infinity, -Infinity, NaN, NaN], "inf -INF   nan nan"],
    ["%05f", [Infinity], "  inf"],
    ["%a %a %a", [1, -0.5, 5e-324], "0x1p+0 -0x1p-1 0x0.0000000000001p-1022"],
    ["%.3a %.0a %.2A %.15a", [0.1, 1.5, 255.5, 1], "0x1.99ap-4 0x2p+0 0X1.FFP+7 0x1.000000000000000p+0"],
    ["%.2a|%012a|%-10a|%+.1a", [0, 1.5, 2, 1.97], "0x0.00p+0|0x00001.8p+0|0x1p+1    |+0x2.0p+0"],
    ["%#.0f %#.0e %#a %#.1g", [3, 2, 1, 5], "3. 2.e+00 0x1.p+0 5."],
    ["%.20e %.17g %e", [1e23, 1e23, 1e23], "9.99999999999999916114e+22 9.9999999999999992e+22 1.000000e+23"],
    ["%.15e", [1e23], "9.999999999999999e+22"],
    ["%.10f", [0.1], "0.1000000000"],
    ["%.20f", [0.1], "0.10000000000000000555"],
    ["%q %", [], "%q %"],
  ])("%s", (format, values, expected) => {
    expect(print(format, ...values)).toBe(expected);
  });

  it("limits widths and precisions that would exhaust memory", () => {
    const most = 2n ** 31n - 1n;
    expect(print("%*d", most, 1n)).toBe("1".padStart(4095));
    expect(print("%.999999999f", 0.5)).toBe(`0.5${"0".repeat(4094)}`);
    expect(print("%.*e|%.*x", most, 0, most, 1n)).toHaveLength(4101 + 1 + 4095);
  });
});
