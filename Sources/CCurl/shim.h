#pragma once
// The type checks of libcurl's headers work on literal options only; the wrappers below are typed.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

// CURLE_TOO_LARGE, which the headers name from libcurl 8.6.0 on.
static const CURLcode CCurl_tooLarge = (CURLcode)100;

// Swift cannot call variadic functions: one wrapper for each type of argument.

static inline CURLcode CCurl_setLong(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_setOffset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_setString(
    CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_setPointer(
    CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode CCurl_setList(
    CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

/// The write, header and read callbacks.
typedef size_t (*CCurl_DataCallback)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);

static inline CURLcode CCurl_setDataCallback(
    CURL *_Nonnull easy, CURLoption option, CCurl_DataCallback _Nullable callback) {
  return curl_easy_setopt(easy, option, callback);
}

/// The callback that moves in a request's body.
typedef int (*CCurl_SeekCallback)(void *_Nonnull context, curl_off_t offset, int origin);

static inline CURLcode CCurl_setSeekCallback(
    CURL *_Nonnull easy, CCurl_SeekCallback _Nullable callback) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode CCurl_getLong(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode CCurl_getOffset(
    CURL *_Nonnull easy, CURLINFO info, curl_off_t *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

/// Leaves a name look-up that is still running to its own thread when a transfer ends early.
static inline void CCurl_leaveResolverBehind(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

/// Allows only HTTP and HTTPS.
static inline CURLcode CCurl_allowHTTPOnly(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Allows only SFTP.
static inline CURLcode CCurl_allowSFTPOnly(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "sftp");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)CURLPROTO_SFTP);
#endif
}

/// Logs in over SSH with a private key, or else with a password.
static inline CURLcode CCurl_useSSHLogin(CURL *_Nonnull easy, bool is_key) {
  long types = is_key ? CURLSSH_AUTH_PUBLICKEY : CURLSSH_AUTH_PASSWORD | CURLSSH_AUTH_KEYBOARD;
  return curl_easy_setopt(easy, CURLOPT_SSH_AUTH_TYPES, types);
}

/// Sends user and password with HTTP Digest authentication, or else with Basic.
static inline CURLcode CCurl_useAuthentication(CURL *_Nonnull easy, bool is_digest) {
  return curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)(is_digest ? CURLAUTH_DIGEST : CURLAUTH_BASIC));
}
