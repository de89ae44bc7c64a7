// Kernels that may not run alternatives because of what they read and write, with the reason.
import { describe, expect, it } from "vitest";
import type { PackQuestion } from "../../src/packing/question.js";
import { ask, CALL, FUNCTION, type Parts, SHARED, SITE } from "./support/kernels.js";

const reasonFor = (parts: Parts, question?: Partial<PackQuestion>): string => {
  const answer = ask(parts, question);
  return answer.kind === "kernels" ? answer.reason : `none: ${JSON.stringify(answer)}`;
};
describe("not shown to be safe:", () => {
  it.each<[string, string, Parts]>([
    [
      "a store through a loaded pointer",
      "writes to an address that is not shown to be within a parameter (line 31)",
      { after: "\tld.global.u64 %rd6, [%rd4];\n\tst.global.f32 [%rd6], %f2;" },
    ],
    [
      "a load through a loaded pointer",
      "loads from an address that is not shown to be within a parameter (line 31)",
      { after: "\tld.global.u64 %rd6, [%rd4];\n\tld.global.f32 %f2, [%rd6];" },
    ],
    [
      "a constant address",
      "writes to an address that is not shown to be within a parameter",
      { store: "\tst.global.f32 [4096], %f2;" },
    ],
    [
      "an address in an output or elsewhere",
      "writes to an address that is not shown to be within a parameter",
      { after: "\tsetp.lt.u32 %p1, %r2, 4;\n\tselp.b64 %rd5, %rd4, %rd5, %p1;" },
    ],
    [
      "an address computed from two outputs",
      "writes to an address that is not shown to be within a parameter",
      { store: "\tadd.s64 %rd6, %rd5, %rd2;\n\tst.global.f32 [%rd6], %f2;" },
    ],
    [
      "an address with other bits",
      "writes to an address that is not shown to be within a parameter",
      { store: "\tand.b64 %rd6, %rd5, -8;\n\tst.global.f32 [%rd6], %f2;" },
    ],
    [
      "a shared address as a global one",
      "writes to an address that is not shown to be within a parameter",
      { module: SHARED, store: "\tmov.u64 %rd6, tile;\n\tst.global.f32 [%rd6], %f2;" },
    ],
    [
      "a variable that is written",
      "writes to a variable of the module",
      { module: ".global .align 4 .u32 visits;", after: "\tst.global.u32 [visits], %r2;" },
    ],
    [
      "a variable that is counted up",
      "writes to a variable of the module",
      {
        module: ".global .align 4 .u32 visits;",
        after: "\tmov.u64 %rd6, visits;\n\tred.global.add.u32 [%rd6], 1;",
      },
    ],
    [
      "an address stored in memory",
      "stores the address of an output",
      { after: "\tst.global.u64 [%rd5], %rd2;" },
    ],
    [
      "an address kept in shared memory",
      "stores the address of an output",
      { module: SHARED, after: "\tst.shared.u64 [tile], %rd5;" },
    ],
    [
      "an address that goes to a site",
      "passes the address of an output to a site",
      { site: SITE.replace("mov.f32 %_x1, %f1;", "mov.b32 {%_x1, %f3}, %rd2;") },
    ],
    [
      "a decision by an address",
      "decides by the address of an output",
      { after: "\tshr.u64 %rd6, %rd2, 12;\n\tsetp.ne.s64 %p1, %rd6, 3;\n\t@%p1 bra $done;" },
    ],
    [
      "a load by what a site computes",
      "loads from an address that depends on what a site computes",
      {
        after:
          "\tcvt.rzi.u32.f32 %r3, %f2;\n\tmul.wide.u32 %rd6, %r3, 4;\n\tadd.s64 %rd7, %rd1, %rd6;\n\tld.global.f32 %f2, [%rd7];",
      },
    ],
    [
      "a store by what a site computes",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tcvt.rzi.u32.f32 %r3, %f2;\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "a constant by what a site computes",
      "loads from an address that depends on what a site computes",
      {
        module: ".const .align 4 .b8 weights[64];",
        after:
          "\tcvt.rzi.u32.f32 %r3, %f2;\n\tcvt.u64.u32 %rd6, %r3;\n\tmov.u64 %rd7, weights;\n\tadd.s64 %rd8, %rd7, %rd6;\n\tld.const.f32 %f2, [%rd8];",
      },
    ],
    [
      "an address chosen by what a site computes",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\tadd.s64 %rd6, %rd5, 4;\n\tselp.b64 %rd7, %rd5, %rd6, %p1;\n\tst.global.f32 [%rd7], %f1;",
      },
    ],
    [
      "an index that went through shared memory",
      "writes to an address that depends on what a site computes",
      {
        module: SHARED,
        after:
          "\tst.shared.f32 [tile], %f2;\n\tbar.sync 0;\n\tld.shared.u32 %r3, [tile];\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "an index that went through an output",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tst.global.f32 [%rd5], %f2;\n\tld.global.u32 %r3, [%rd2];\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "an index that a call returns",
      "writes to an address that depends on what a site computes",
      {
        module: FUNCTION,
        after: `${CALL.replace("[argument], %f1", "[argument], %f2")}\n\tmov.b32 %r3, %f1;\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;`,
      },
    ],
    [
      "a counter that sites advance",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, 0f00000000;\n\t@!%p1 bra $done;\n\tatom.global.add.u32 %r3, [%rd2], 1;\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "a loop that a site ends",
      "writes to an address that depends on what a site computes",
      {
        before: "\tmov.b64 %rd6, %rd5;\n$next:",
        after:
          "\tst.global.f32 [%rd6], %f2;\n\tadd.s64 %rd6, %rd6, 4;\n\tsetp.lt.f32 %p1, %f2, 0f42000000;\n\t@%p1 bra $next;",
      },
    ],
    [
      "a guard that a site computes",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\tmov.b64 %rd6, %rd5;\n\t@%p1 add.s64 %rd6, %rd6, 4;\n\tst.global.f32 [%rd6], %f1;",
      },
    ],
    [
      "a result of a call in a branch",
      "writes to an address that depends on what a site computes",
      {
        module: ".func (.reg .u32 %y) one(.reg .u32 %x)\n{\n\tmov.u32 %y, %x;\n\tret;\n}",
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\tmov.u32 %r3, 0;\n\t@!%p1 bra $after;\n\tcall.uni (%r3), one, (%r2);\n$after:\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "the threads that take part after a branch",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\t@!%p1 bra $done;\n\tactivemask.b32 %r3;\n\tpopc.b32 %r4, %r3;\n\tmad.wide.u32 %rd6, %r4, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "a count of threads of the block",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\tbar.red.popc.u32 %r3, 0, %p1;\n\tmad.wide.u32 %rd6, %r3, 4, %rd2;\n\tst.global.f32 [%rd6], %f2;",
      },
    ],
    [
      "one of two addresses by a branch",
      "writes to an address that depends on what a site computes",
      {
        after:
          "\tsetp.lt.f32 %p1, %f2, %f1;\n\tmov.b64 %rd6, %rd5;\n\t@%p1 bra $join;\n\tadd.s64 %rd6, %rd5, 4;\n$join:\n\tst.global.f32 [%rd6], %f1;",
      },
    ],
    [
      "a function that ends threads",
      "ends threads in a function depending on what a site computes",
      {
        module: ".func ending(.reg .pred %p)\n{\n\t@%p exit;\n\tret;\n}",
        after: "\tsetp.lt.f32 %p1, %f2, %f1;\n\tcall.uni ending, (%p1);",
      },
    ],
    [
      "a call into another module",
      "calls `vprintf`, whose body is not in the module (line 33)",
      {
        module: ".extern .func (.param .b32 status) vprintf(.param .b64 format, .param .b64 list);",
        after:
          "\t{\n\t.param .b64 a;\n\t.param .b64 b;\n\t.param .b32 c;\n\tcall.uni (c), vprintf, (a, b);\n\t}".replace(
            "\t{\n\t.param .b64 a;\n",
            "\t{.param .b64 a;\n",
          ),
      },
    ],
    [
      "a call through a pointer",
      "calls functions through pointers",
      {
        module: FUNCTION,
        before: `	mov.u64 %rd6, twice;\n${CALL.replace("twice, (argument)", "%rd6, (argument), $kind").replace("\t{\n", "\t{\n$kind: .callprototype (.param .b32 _) _ (.param .b32 _);\n")}`,
      },
    ],
    [
      "a function that stores",
      "writes to an address that is not shown to be within a parameter (line 10)",
      {
        module: FUNCTION.replace("\tst.param", "\t.reg .b64 %rd;\n\tst.global.f32 [%rd], %f2;\n\tst.param"),
        before: CALL,
      },
    ],
  ])("%s", (_, reason, parts) => {
    const own =
      parts.parameters?.includes("rest") === true ? [false, true, false, false] : [false, true, false];
    expect(reasonFor(parts, { perAlternative: own })).toContain(reason);
  });
});
