#pragma once
#include <alsa/asoundlib.h>

// What Swift cannot import.

/// Takes a message of the library and forgets it. snd_lib_error_handler_t
static void CALSA_forget(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

/// Keeps the library from writing its messages. snd_lib_error_set_handler
static inline void CALSA_silence(void) { snd_lib_error_set_handler(CALSA_forget); }
