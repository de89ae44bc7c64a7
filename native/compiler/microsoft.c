/* NVIDIA's archive for Windows was built with Microsoft's compiler, which expects these symbols from its own runtime
 * library. Zig links the archive with mingw-w64, which supplies everything else on top of Microsoft's UCRT. */
#include <stdint.h>
#include <stdlib.h>

/* Marks that floating point is used; the value does not matter. */
int _fltused = 0x9875;

/* The available vector instructions: those that every x86-64 has. */
int __isa_available = 1;

/* Functions store this below their frame and check it before they return. */
uintptr_t __security_cookie = 0x00002B992DDFA232;

/* `__security_check_cookie` must preserve the caller's result, so it cannot be compiled code. `_setjmp` states that it has no
 * frame, so `longjmp` restores registers and unwinds nothing, which is all that plain C needs. */
__asm__(
    ".text\n"
    ".globl __security_check_cookie\n"
    "__security_check_cookie:\n"
    "  cmpq __security_cookie(%rip), %rcx\n"
    "  jne 1f\n"
    "  ret\n"
    "1:\n"
    "  ud2\n"
    ".globl _setjmp\n"
    "_setjmp:\n"
    "  xorl %edx, %edx\n"
    "  jmpq *__imp___intrinsic_setjmp(%rip)\n");

/* Called for an index out of bounds. */
__attribute__((noreturn)) void __report_rangecheckfailure(void) { __builtin_trap(); }

/* Called for functions with a cookie while an exception unwinds them: 1 lets it continue. */
int __GSHandlerCheck(void *exception, void *frame, void *context, void *dispatcher) {
  (void)exception, (void)frame, (void)context, (void)dispatcher;
  return 1;
}

/* `operator delete(void *, size_t)`. */
void delete_sized(void *block, size_t size) __asm__("??3@YAXPEAX_K@Z");
void delete_sized(void *block, size_t size) {
  (void)size;
  free(block);
}
