#pragma once
#include <linux/falloc.h>
#include <linux/fs.h>
#include <spawn.h>
#include <stdint.h>
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

/// Reserves blocks for the first bytes of an open file without changing its length.
///
/// fallocate(2) with FALLOC_FL_KEEP_SIZE: 0, or -1 and errno; EOPNOTSUPP where the file system
/// cannot. The call works on machines whose registers have 64 bits.
static inline int CFileCalls_reserve(int descriptor, int64_t bytes) {
  return (int)syscall(SYS_fallocate, descriptor, FALLOC_FL_KEEP_SIZE, (int64_t)0, bytes);
}

/// Opens a child as a descriptor that is readable from the child's end on.
///
/// pidfd_open(2): a descriptor, which is close-on-exec, or -1 and errno.
static inline int CFileCalls_openProcess(int32_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0U);
}

/// Closes all descriptors from a number on in a program that is to be started.
///
/// posix_spawn_file_actions_addclosefrom_np(3): 0, or an errno.
static inline int CFileCalls_closeFrom(posix_spawn_file_actions_t *_Nonnull actions, int first) {
  extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Makes a timer of a clock, whose reading waits until the timer's time has come.
///
/// timerfd_create(2): a descriptor, or -1 and errno.
static inline int CFileCalls_makeTimer(int clock, int flags) {
  return (int)syscall(SYS_timerfd_create, clock, flags);
}

/// Sets a timer to an instant of its clock in nanoseconds, above 0; wakes no reader before it.
///
/// timerfd_settime(2) with TFD_TIMER_ABSTIME: 0, or -1 and errno. The call works on machines whose
/// registers have 64 bits.
static inline int CFileCalls_setTimer(int timer, int64_t nanoseconds) {
  const int64_t setting[4] = {0, 0, nanoseconds / 1000000000, nanoseconds % 1000000000};
  return (int)syscall(SYS_timerfd_settime, timer, 1, setting, (void *)0);
}
