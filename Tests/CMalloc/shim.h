#pragma once
#include <malloc.h>

/* The hook of the Swift runtime for thrown errors (swift/Runtime/Error.h), an atomic pointer. */
extern void *_Nullable _swift_willThrow;

/* Puts another hook, or none, in the place of the one that there was, which is returned. */
static inline void *_Nullable CMalloc_exchangeWillThrow(void *_Nullable hook) {
  return __atomic_exchange_n(&_swift_willThrow, hook, __ATOMIC_ACQ_REL);
}
