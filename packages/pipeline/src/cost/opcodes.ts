// Which kind of instruction each SASS opcode is. The opcodes are those of the tables of CUDA Binary Utilities (Instruction Set Reference:
// Turing, Ampere and Ada, Hopper, Blackwell), and what the disassembler prints besides. docs/sass-cost.md explains the kinds.

/** Kinds of instructions: those of a kind execute in the same pipe and at the same rate. */
export type Kind =
  | "addressUnit"
  | "bitCount"
  | "control"
  | "conversion"
  | "exponential"
  | "float32"
  | "float64"
  | "float64Conversion"
  | "floatToInteger"
  | "half"
  | "halfToFloat"
  | "integer64Conversion"
  | "integerAdd"
  | "integerMultiply"
  | "logic"
  | "memory"
  | "packedFloat32"
  | "queued"
  | "shuffle"
  | "tensor"
  | "texture"
  | "transcendental"
  | "uniform"
  | "unknown"
  | "vote"
  | "wideMultiply";

/** The opcodes of each kind; `instruction.ts` moves some of them to another kind by their modifiers. */
const OPCODES: Partial<Record<Kind, string>> = {
  float32: "FADD FADD32I FMUL FMUL32I FFMA FFMA32I FSWZADD FHADD FHFMA",
  packedFloat32: "FADD2 FMUL2 FFMA2",
  half: "HADD2 HADD2_32I HMUL2 HMUL2_32I HFMA2 HFMA2_32I QADD4 QFMA4 QMUL4",
  integerMultiply: "IMAD IMUL IMUL32I IDP IDP4A",
  integerAdd: "IADD IADD2 IADD3 IADD32I ISCADD ISCADD32I VIADD IABS IMNMX IMNMX2 VIMNMX VIMNMX3 VIADDMNMX",
  logic: [
    "BMSK LEA LOP LOP3 LOP32I SHF SHL SHR SGXT ISETP VABSDIFF VABSDIFF4 VHMNMX PLOP3 PSETP P2R R2P",
    "FSEL FSET FSETP FMNMX FMNMX3 HMNMX2 HSET2 HSETP2 I2I I2IP I2FP F2FP F2IP MOV MOV32I PRMT SEL CS2R CREDUX",
  ].join(" "),
  vote: "VOTE",
  float64: "DADD DMUL DFMA DSETP DMNMX CLMAD",
  transcendental: "MUFU FCHK",
  bitCount: "POPC FLO BREV",
  conversion: "F2F I2F FRND",
  floatToInteger: "F2I",
  memory:
    "LD LDG LDL LDS LDSM LDGSTS ST STG STL STS STSM STAS ATOM ATOMS ATOMG RED REDG REDS REDAS LDGMC LDT LDTM STT STTM",
  queued: [
    "LDC MOVM QSPC GETLMEMBASE SETLMEMBASE SETCTAID CCTL CCTLL CCTLT TTUCCTL UCCTL UTMACCTL SYNCS USYNCS ARRIVES FATOM",
    "UBLKCP UBLKPF UBLKRED UTMALDG UTMAPF UTMAREDG UTMASTG UTMACMDFLUSH UMEMSETS UREDGR USTGR UTCATOMSWS UTCBAR UTCCP UTCSHIFT",
  ].join(" "),
  shuffle: "SHFL",
  texture: "TEX TLD TLD4 TMML TXD TXQ FOOTPRINT SUATOM SULD SURED SUST SUQUERY",
  tensor: [
    "HMMA IMMA BMMA DMMA QMMA OMMA HGMMA IGMMA BGMMA QGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMXQMMA",
    "SPMETADATA GENMETADATA SCATTER GATHER",
  ].join(" "),
  addressUnit: "BAR S2R REDUX MATCH",
  control: [
    "BMOV BPT BRA BREAK BRX BRXU BSSY BSYNC CALL EXIT JMP JMX JMXU KILL NANOSLEEP RET RPCMOV RTT WARPSYNC YIELD LEPC ULEPC",
    "B2R R2B DEPBAR LDGDEPBAR MEMBAR ERRBAR CGAERRBAR FENCE NOP PMTRIG PREEXIT ACQBULK ACQSHMINIT ENDCOLLECTIVE ELECT",
    "WARPGROUP WARPGROUPSET UCGABAR_ARV UCGABAR_WAIT USETMAXREG USETSHMSZ UVIRTCOUNT UGETNEXTWORKID CSMTEST",
  ].join(" "),
  uniform: [
    "R2UR S2UR CS2UR UR2UP UP2UR UBMSK UBREV UCLEA UFLO UIADD3 UIADD UIMAD UISETP ULDC LDCU ULEA ULOP ULOP3 ULOP32I UMOV",
    "UPLOP3 UPOPC UPRMT UPSETP USEL USGXT USHF USHL USHR VOTEU UF2F UF2FP UF2I UF2IP UFADD UFFMA UFMUL UFMNMX UFMNMX3 UFRND",
    "UFSEL UFSET UFSETP UI2F UI2FP UI2I UI2IP UIABS UIMNMX UVIADD UVIMNMX UVIMNMX3 UMUFU",
  ].join(" "),
};

const KIND_OF = new Map<string, Kind>(
  Object.entries(OPCODES).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as Kind])),
);

/** The kind of an opcode without its modifiers; `unknown` for what is in no table. */
export const kindOfOpcode = (opcode: string): Kind => KIND_OF.get(opcode) ?? "unknown";
