#pragma once
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Renames an entry of a directory, and fails with EEXIST where the new name is taken.
///
/// renameat2(2) with RENAME_NOREPLACE: 0, or -1 and errno; EINVAL where the file system cannot.
static inline int CFileCalls_renameWithoutReplacing(
    int directory, const char *_Nonnull name, const char *_Nonnull newName) {
  return (int)syscall(SYS_renameat2, directory, name, directory, newName, RENAME_NOREPLACE);
}

/// Forces everything that was written to the file system of an open file to stable storage.
///
/// syncfs(2): 0, or -1 and errno.
static inline int CFileCalls_syncFileSystem(int descriptor) {
  return (int)syscall(SYS_syncfs, descriptor);
}
