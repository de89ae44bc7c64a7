/* What Microsoft's compiler expects of the library that comes with it, for NVIDIA's archive for Windows, which that compiler
 * made: Zig links it with mingw-w64, whose library, on Microsoft's own (UCRT), has all else that the archive needs. */
#include <stdint.h>
#include <stdlib.h>

/* Says that floating point is used; the value is of no account. */
int _fltused = 0x9875;

/* Which vector instructions there are: those that every x86-64 has. */
int __isa_available = 1;

/* Functions keep this below their frame and look at it before they return. */
uintptr_t __security_cookie = 0x00002B992DDFA232;

/* `__security_check_cookie` has to keep the caller's result, so no compiled code will do. `_setjmp` says that it has no frame:
 * then `longjmp` puts registers back, and unwinds nothing. Plain C needs no more. */
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

/* An index beyond an array. */
__attribute__((noreturn)) void __report_rangecheckfailure(void) { __builtin_trap(); }

/* Asked for functions with a cookie while an exception passes through them: 1 lets it go on. */
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
