/**
 * If a bundler defines this (as `true`), models compute in WebAssembly alone, and the other backends are left out. Each condition has to name
 * it itself, because bundlers don't carry constants from module to module.
 */
declare const MM_PTX_WEBASSEMBLY_ONLY: true | undefined;
