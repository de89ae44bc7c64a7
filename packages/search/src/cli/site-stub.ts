// The stub of a genome with the registers of a site in a kernel.
import type { SiteOperand } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import type { Genome, ProgramRegister, ProgramSpace } from "../spaces/space.js";

/**
 * The stub of a genome for a site whose operands have the names of the registers of the space, or that has one output like the space. The
 * registers of stack spaces are those of their site already.
 *
 * @throws SearchError NOT_FOUND if the site lacks an operand
 */
export function siteStub(space: ProgramSpace, genome: Genome, operands: readonly SiteOperand[]): string {
  const stub = space.stub(genome);
  const registers = new Set(operands.map(({ register }) => register));
  const read = operands.filter(({ direction }) => direction !== "out");
  const written = operands.filter(({ direction }) => direction !== "in");
  const renamed = new Map<string, string>();
  const rename = (own: ProgramRegister, among: readonly SiteOperand[], isOnly: boolean): void => {
    if (registers.has(own.name)) return;
    const found = among.find(({ name }) => name === own.name) ?? (isOnly ? among[0] : undefined);
    if (found !== undefined) renamed.set(own.name, found.register);
    else if (isUsed(stub, own.name)) throw missing(own, among);
  };
  for (const own of space.inputRegisters)
    rename(own, read, space.inputRegisters.length === 1 && read.length === 1);
  for (const own of space.outputRegisters)
    rename(own, written, space.outputRegisters.length === 1 && written.length === 1);
  return stub.replace(/%([A-Za-z_$][\w$]*)/g, (text, name: string) => {
    const to = renamed.get(name);
    return to === undefined ? text : `%${to}`;
  });
}

const isUsed = (stub: string, name: string): boolean =>
  stub.split(/(%[A-Za-z_$][\w$]*)/).includes(`%${name}`);

function missing({ name }: ProgramRegister, among: readonly SiteOperand[]): SearchError {
  const names = among.map((operand) => quoted(operand.name)).join(", ") || "none";
  return new SearchError("NOT_FOUND", `expected an operand ${quoted(name)} at the site, found ${names}`);
}
