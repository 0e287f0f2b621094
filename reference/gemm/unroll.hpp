// QUADPAIR_UNROLL(n) before a loop: unroll it n times, so that small arrays of vectors stay in registers.
#pragma once

// Sanitizers check every access of an unrolled loop, and the compiler then takes minutes.
#if defined(__SANITIZE_ADDRESS__) || !defined(__GNUC__)
#define QUADPAIR_UNROLL(n)
#else
#define QUADPAIR_PRAGMA(text) _Pragma(#text)
#define QUADPAIR_UNROLL(n) QUADPAIR_PRAGMA(GCC unroll n)
#endif
