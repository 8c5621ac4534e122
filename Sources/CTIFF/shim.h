#pragma once
#include <stdarg.h>
#include <tiffio.h>

#pragma clang assume_nonnull begin

static inline int CTIFF_keepSilent(
    TIFF *_Nullable file, void *_Nullable data, const char *_Nullable function,
    const char *_Nullable format, va_list values) {
  (void)file, (void)data, (void)function, (void)format, (void)values;
  // The handlers of the whole process, which print, are not called.
  return 1;
}

static inline tmsize_t CTIFF_readNothing(
    thandle_t _Nullable context, void *_Nullable bytes, tmsize_t count) {
  (void)context, (void)bytes, (void)count;
  return -1;
}

static inline int CTIFF_leaveOpen(thandle_t _Nullable context) {
  (void)context;
  return 0;
}

/// Opens a new little-endian file that these functions write.
///
/// TIFFClientOpenExt(3), without messages on the standard error: NULL on failure.
static inline TIFF *_Nullable CTIFF_create(
    void *context, TIFFReadWriteProc write, TIFFSeekProc seek, TIFFSizeProc size) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (options == NULL) return NULL;
  TIFFOpenOptionsSetErrorHandlerExtR(options, CTIFF_keepSilent, NULL);
  TIFFOpenOptionsSetWarningHandlerExtR(options, CTIFF_keepSilent, NULL);
  TIFF *file = TIFFClientOpenExt(
      "DNG", "wl", context, CTIFF_readNothing, write, seek, CTIFF_leaveOpen, size, NULL, NULL,
      options);
  TIFFOpenOptionsFree(options);
  return file;
}

/// Whether a tag's value is passed as a count and a pointer; 0 for an unknown tag, too.
static inline int CTIFF_isCounted(TIFF *file, uint32_t tag) {
  const TIFFField *field = TIFFFieldWithTag(file, tag);
  return field != NULL && TIFFFieldPassCount(field);
}

/// Sets a tag of 16 bits.
///
/// TIFFSetField(3) is variadic: 1, or 0 for a tag or value that libtiff refuses.
static inline int CTIFF_setShort(TIFF *file, uint32_t tag, uint16_t value) {
  return CTIFF_isCounted(file, tag) ? TIFFSetField(file, tag, 1, &value)
                                    : TIFFSetField(file, tag, value);
}

/// Sets a tag of 32 bits that has no count.
static inline int CTIFF_setLong(TIFF *file, uint32_t tag, uint32_t value) {
  return TIFFSetField(file, tag, value);
}

/// Sets a directory's offset, in a tag that has no count.
static inline int CTIFF_setOffset(TIFF *file, uint32_t tag, uint64_t value) {
  return TIFFSetField(file, tag, value);
}

/// Sets a tag that has a fraction and no count.
static inline int CTIFF_setReal(TIFF *file, uint32_t tag, double value) {
  return TIFFSetField(file, tag, value);
}

/// Sets a tag that has an array of the type in libtiff's table, or text with a NUL.
static inline int CTIFF_setValues(TIFF *file, uint32_t tag, uint32_t count, const void *values) {
  return CTIFF_isCounted(file, tag) ? TIFFSetField(file, tag, count, values)
                                    : TIFFSetField(file, tag, values);
}

#pragma clang assume_nonnull end
