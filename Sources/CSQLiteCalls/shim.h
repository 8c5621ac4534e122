#pragma once
#include <sqlite3.h>

/// Leaves the write-ahead log as it is when the connection is closed.
///
/// sqlite3_db_config(3) is variadic: its result code.
static inline int CSQLiteCalls_keepLogAtClose(sqlite3 *_Nonnull connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

static inline int CSQLiteCalls_noteLength(
    void *pages, sqlite3 *connection, const char *database, int count) {
  (void)connection, (void)database;
  *(int *)pages = count;
  return SQLITE_OK;
}

/// Makes every commit store the number of pages in the write-ahead log.
///
/// `pages` must stay valid until the connection is closed. The hook replaces SQLite's automatic
/// checkpoint.
static inline void CSQLiteCalls_watchLog(sqlite3 *_Nonnull connection, int *_Nonnull pages) {
  sqlite3_wal_hook(connection, CSQLiteCalls_noteLength, pages);
}
