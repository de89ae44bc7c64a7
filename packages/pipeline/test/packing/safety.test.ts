// Which kernels may run alternatives, and which mistakes of a launch plan are found on the way.
import { describe, expect, it } from "vitest";
import { PipelineError } from "../../src/index.js";
import { ask, CALL, FUNCTION, LOADS, type Parts, SHARED, SITE } from "./support/kernels.js";

const BY_Z = { kind: "alternatives", axis: "z", hasFirst: true };
describe("safe:", () => {
  it.each<[string, Parts]>([
    ["a store through an output", {}],
    [
      "a guarded load of a parameter",
      {
        loads: `${LOADS.replace("\tld.param.u64 %rd2", "\tsetp.eq.u32 %p1, 1, 1;\n\t@%p1 ld.param.u64 %rd2")}`,
      },
    ],
    ["loads with types of 64 bits", { loads: LOADS.replace("u64 %rd2, [out]", "b64 %rd2, [out+0]") }],
    [
      "a parameter that is loaded twice",
      { after: "\tld.param.s64 %rd6, [out];\n\tst.global.f32 [%rd6], %f1;" },
    ],
    [
      "converted addresses",
      {
        after:
          "\tcvta.to.global.u64 %rd6, %rd2;\n\tmad.wide.u32 %rd7, %r2, 4, %rd6;\n\tst.global.f32 [%rd7+4], %f1;",
      },
    ],
    ["a generic store", { store: "\tst.f32 [%rd5], %f2;" }],
    [
      "an address that is one of two in the same output",
      {
        after:
          "\tadd.s64 %rd6, %rd5, 128;\n\tsetp.lt.u32 %p1, %r2, 4;\n\tselp.b64 %rd7, %rd5, %rd6, %p1;\n\tst.global.f32 [%rd7], %f1;",
      },
    ],
    [
      "an address that a loop advances",
      {
        after:
          "\tmov.b64 %rd6, %rd5;\n$next:\n\tst.global.f32 [%rd6], %f2;\n\tadd.s64 %rd6, %rd6, 256;\n\tadd.u32 %r2, %r2, 64;\n\tsetp.lt.u32 %p1, %r2, %r1;\n\t@%p1 bra $next;",
      },
    ],
    [
      "the end of an output as the end of a loop",
      { after: "\tadd.s64 %rd6, %rd2, 256;\n\tsetp.ne.s64 %p1, %rd5, %rd6;\n\t@!%p1 bra $done;" },
    ],
    [
      "a check for null and for alignment",
      {
        after:
          "\tsetp.eq.s64 %p1, %rd2, 0;\n\t@%p1 bra $done;\n\tand.b64 %rd6, %rd5, 15;\n\tsetp.ne.s64 %p2, %rd6, 0;\n\t@%p2 bra $done;",
      },
    ],
    [
      "an index from an input",
      {
        before:
          "\tld.global.u32 %r3, [%rd4];\n\tmul.wide.u32 %rd6, %r3, 4;\n\tadd.s64 %rd5, %rd2, %rd6;".replace(
            "%rd5",
            "%rd7",
          ),
        store: "\tst.global.f32 [%rd7], %f2;",
      },
    ],
    [
      "a size of 64 bits",
      {
        parameters: ".param .u64 in, .param .u64 out, .param .u64 n",
        loads: LOADS.replace("u32 %r1", "u64 %rd9"),
        after: "\tadd.s64 %rd6, %rd5, %rd9;\n\tst.global.f32 [%rd6], %f1;",
      },
    ],
    [
      "atomics on an output",
      { after: "\tatom.global.add.f32 %f3, [%rd5], %f2;\n\tred.global.add.f32 [%rd5], %f2;" },
    ],
    [
      "shared memory, at addresses that sites decide as well",
      {
        module: SHARED,
        after:
          "\tmov.u32 %r3, tile;\n\tcvt.rzi.u32.f32 %r4, %f2;\n\tadd.u32 %r5, %r3, %r4;\n\tst.shared.f32 [%r5], %f2;\n\tbar.sync 0;\n\tld.shared.f32 %f2, [tile];",
      },
    ],
    [
      "shared memory through generic addresses",
      {
        module: SHARED,
        after:
          "\tmov.u64 %rd6, tile;\n\tcvta.shared.u64 %rd7, %rd6;\n\tst.f32 [%rd7], %f2;\n\tld.f32 %f2, [%rd7];",
      },
    ],
    [
      "a table of the module that is only read",
      {
        module: ".const .align 4 .b8 weights[64];\n.global .align 4 .b8 more[64];",
        before:
          "\tld.const.f32 %f1, [weights+4];\n\tmov.u64 %rd6, more;\n\tadd.s64 %rd7, %rd6, 4;\n\tld.global.f32 %f1, [%rd7];",
      },
    ],
    [
      "asynchronous copies to shared memory",
      {
        module: SHARED,
        before:
          "\tmov.u32 %r3, tile;\n\tcp.async.ca.shared.global [%r3], [%rd4], 4;\n\tcp.async.commit_group;\n\tcp.async.wait_all;\n\tbar.sync 0;\n\tld.shared.f32 %f1, [%r3];",
      },
    ],
    ["calls of functions of the module", { module: FUNCTION, before: CALL }],
    ["a branch by what a site computes", { after: "\tsetp.lt.f32 %p1, %f2, 0f00000000;\n\t@%p1 bra $done;" }],
    [
      "a loop after a branch by what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\t@%p1 bra $skip;\n\tadd.f32 %f2, %f2, %f1;\n$skip:\n\tmov.b64 %rd6, %rd5;\n$next:\n\tst.global.f32 [%rd6], %f2;\n\tadd.s64 %rd6, %rd6, 256;\n\tadd.u32 %r2, %r2, 64;\n\tsetp.lt.u32 %p2, %r2, %r1;\n\t@%p2 bra $next;",
      },
    ],
    [
      "a loop in a branch by what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\t@%p1 bra $skip;\n\tmov.b64 %rd6, %rd5;\n$next:\n\tst.global.f32 [%rd6], %f2;\n\tadd.s64 %rd6, %rd6, 256;\n\tsetp.ne.s64 %p2, %rd6, %rd2;\n\t@%p2 bra $next;\n$skip:",
      },
    ],
    [
      "a loop around a branch by what a site computes",
      {
        before: "\tmov.b64 %rd6, %rd5;\n$next:",
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\t@%p1 bra $skip;\n\tst.global.f32 [%rd6], %f2;\n$skip:\n\tadd.s64 %rd6, %rd6, 256;\n\tadd.u32 %r2, %r2, 64;\n\tsetp.lt.u32 %p2, %r2, %r1;\n\t@%p2 bra $next;",
      },
    ],
    [
      "the other axes",
      { before: "\tmov.u32 %r3, %ctaid.x;\n\tmov.u32 %r4, %nctaid.y;\n\tmov.u32 %r5, %tid.z;" },
    ],
  ])("%s", (_, parts) => {
    expect(ask(parts)).toEqual(BY_Z);
  });

  it("along y, if the kernel has a use for z", () => {
    const before = "\tmov.u32 %r3, %ctaid.z;";
    expect(ask({ before })).toEqual({ ...BY_Z, axis: "y" });
    expect(ask({ before: "\tmov.u32 %r3, %nctaid.z;" })).toEqual({ ...BY_Z, axis: "y" });
    expect(ask({}, { grid: [4, 1, 8] })).toEqual({ ...BY_Z, axis: "y" });
  });

  it("a site in a function, without a first alternative", () => {
    const body = SITE.replaceAll("%f1", "%g1").replaceAll("%f2", "%g2");
    const module = `.func inner(.reg .f32 %g1)\n{\n\t.reg .f32 %g2;\n${body}\n\tret;\n}\n`;
    const answer = ask({ module, site: "\tcall.uni inner, (%f1);\n\tmov.f32 %f2, %f1;" });
    expect(answer).toEqual({ ...BY_Z, hasFirst: false });
  });

  it("whatever another kernel of the module does", () => {
    const module =
      ".visible .entry other(.param .u64 x)\n{\n\t.reg .u32 %r;\n\tmov.u32 %r, %ctaid.z;\n\tbrkpt;\n\tret;\n}\n";
    expect(ask({ module })).toEqual(BY_Z);
  });

  it("a kernel that is only compiled", () => {
    expect(ask({ store: "\tst.global.f32 [%rd4], %f2;" }, { perAlternative: [] })).toEqual(BY_Z);
  });
});

describe("mistakes:", () => {
  const errorOf = (work: () => unknown): PipelineError => {
    try {
      work();
    } catch (error) {
      if (error instanceof PipelineError) return error;
      throw error;
    }
    throw new Error("expected an error");
  };

  it.each(["st.global.f32 [%rd4], %f2;", "red.global.add.f32 [%rd4], %f2;", "st.f32 [%rd4+8], %f2;"])(
    "INVALID_ARGUMENT: %s, which writes to an input",
    (store) => {
      const { code, message } = errorOf(() => ask({ store: `\t${store}` }));
      expect(code).toBe("INVALID_ARGUMENT");
      expect(message).toBe(
        `expected \`kernel\` to write only through parameters whose arguments are \`output\` or \`slices\`, found \`${store}\` at line 31, which writes through parameter 0, \`in\``,
      );
    },
  );

  it("INVALID_ARGUMENT: another number of parameters", () => {
    const { code, message } = errorOf(() => ask({}, { perAlternative: [true] }));
    expect(code).toBe("INVALID_ARGUMENT");
    expect(message).toBe("expected `perAlternative` for each of the 3 parameters of `kernel`, found 1");
  });

  it("NOT_FOUND: a kernel or an injection that does not exist", () => {
    const kernel = errorOf(() => ask({}, { entry: "kernle" }));
    expect(kernel.code).toBe("NOT_FOUND");
    expect(kernel.message).toBe(
      "expected a kernel of the module (`kernel`), found `kernle`, did you mean `kernel`?",
    );
    const site = errorOf(() => ask({}, { sites: ["fnc"] }));
    expect(site.code).toBe("NOT_FOUND");
    expect(site.message).toContain("expected an injection of the kernel (`func`), found `fnc`");
  });
});
