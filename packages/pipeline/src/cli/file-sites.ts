// Sites as files fill them: by the jobs of a kernel file, or with programs as text.
import { AstCompiler, type AstKernelPart, astFromKernelFile, parseExpression, toProgram } from "@mm-ptx/ast";
import type { Injection } from "@mm-ptx/inject";
import { assemble, StackCompiler, type StackKernelPart, stackFromKernelFile } from "@mm-ptx/stack";
import type { AstTable, StackTable } from "@mm-ptx/types/core";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { textWriter } from "../sites/ast.js";
import type { Site, SiteRecord } from "../sites/site.js";

export type Table = StackTable | AstTable;

/** What a kernel file has for its sites. */
export interface FileSites {
  readonly sites: SiteRecord;
  /** The programs of each site. */
  readonly programs: Readonly<Record<string, readonly unknown[]>>;
}

/** @throws StackPtxError, AstPtxError */
export function sitesOfKernelFile(file: KernelFile, tables: readonly Table[]): FileSites {
  const sites: Record<string, Site> = {};
  const programs: Record<string, readonly unknown[]> = {};
  const stack = stackFromKernelFile(
    file,
    tables.filter((table) => table.kind === "stack"),
  );
  const ast = astFromKernelFile(
    file,
    tables.filter((table) => table.kind === "ast"),
  );
  for (const job of stack?.jobs ?? []) {
    sites[job.site] = stackJobSite(stack!, job) as Site;
    programs[job.site] = job.programs;
  }
  for (const job of ast?.jobs ?? []) {
    sites[job.site] = astJobSite(ast!, job) as Site;
    programs[job.site] = job.programs;
  }
  return { sites, programs };
}

function stackJobSite(
  { table, options }: StackKernelPart,
  { job }: StackKernelPart["jobs"][number],
): Site<never> {
  const compiler = new StackCompiler(table, options);
  const bind = () => ({
    signature: (program: never) => compiler.signature(program, job),
    stub: (program: never) => compiler.compile(program, job),
  });
  return { kind: "stack", table, bind };
}

function astJobSite({ table, options }: AstKernelPart, { job }: AstKernelPart["jobs"][number]): Site<never> {
  const compiler = new AstCompiler(table, options);
  return { kind: "ast", table, bind: () => textWriter((program: never) => compiler.compile(program, job)) };
}

/** A site whose programs may be text: Stack PTX as `assemble` reads it, or an expression of the names of the site's operands. */
export function withTexts<Program>(site: Site<Program>): Site<Program | string> {
  const { kind, table } = site;
  if (kind === "text" || table === undefined) return site as Site<Program | string>;
  return {
    ...site,
    bind(annotated, injection) {
      const writer = site.bind(annotated, injection);
      const read = readerOf(table, injection) as (text: string) => Program;
      // A program is asked for its signature and then for its stub.
      let last: { readonly text: string; readonly program: Program } | undefined;
      const programOf = (given: Program | string): Program => {
        if (typeof given !== "string") return given;
        if (last?.text !== given) last = { text: given, program: read(given) };
        return last.program;
      };
      return {
        ...writer,
        signature: (given) => writer.signature(programOf(given)),
        stub: (given) => writer.stub(programOf(given)),
      };
    },
  };
}

function readerOf(table: Table, { operands }: Injection): (text: string) => unknown {
  if (table.kind === "stack") return (text) => assemble(text, table);
  const inputs = operands.filter(({ direction }) => direction !== "out").map(({ name }) => name);
  return (text) => toProgram(parseExpression(text, { variables: inputs }), table, { inputs }).program;
}
