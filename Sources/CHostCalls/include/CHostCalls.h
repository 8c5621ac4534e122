/* Calls of Linux for a process that hosts a device: descriptors over sockets, starting a program,
 * confining it. Nothing is decided here. */
#ifndef CHOSTCALLS_H
#define CHOSTCALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The descriptor at which a spawned process finds its socket.
enum { CHostCalls_socketDescriptor = 3 };

/// The maximum number of descriptors of a received message; a message with more is refused.
enum { CHostCalls_maximumDescriptors = 4 };

/// Sends a packet with up to CHostCalls_maximumDescriptors descriptors (SCM_RIGHTS).
///
/// sendmsg(2) with MSG_NOSIGNAL, retried after EINTR: 0, or -1 and errno.
int CHostCalls_send(
    int socket, const void *_Nonnull bytes, size_t count, const int *_Nullable descriptors,
    int descriptor_count);

/// Receives a packet and the descriptors that came with it, which are close-on-exec.
///
/// recvmsg(2) with MSG_CMSG_CLOEXEC, retried after EINTR: the packet's length, 0 at the end of the
/// connection, or -1 and errno. `is_cut` is 1 when the packet or its descriptors did not fit (the
/// descriptors also when the process may have no more).
ptrdiff_t CHostCalls_receive(
    int socket, void *_Nonnull bytes, size_t capacity, int *_Nonnull descriptors,
    int *_Nonnull descriptor_count, int *_Nonnull is_cut);

/// Starts a program as the leader of its own session, with a socket as its only open file.
///
/// posix_spawn(3): 0 and `process`, or an errno. The program has the socket at
/// CHostCalls_socketDescriptor and /dev/null as its input. This process's standard error is its
/// output and error. The program has no blocked or ignored signal, and no other descriptor.
int CHostCalls_spawn(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, int socket, int32_t *_Nonnull process);

/// Copies this process, which must have one thread: the copy's number, 0 in the copy, or -1 and errno.
///
/// fork(2).
int32_t CHostCalls_fork(void);

/// Gives this process, a copy of its parent, what CHostCalls_spawn() gives a program.
///
/// The process gets a session of its own, the socket at CHostCalls_socketDescriptor, /dev/null as its
/// input and its standard error as its output: 0, or -1 and errno. Other descriptors are closed, and
/// no signal is blocked, ignored or handled.
int CHostCalls_standAlone(int socket);

/// Waits for the end of a child without reaping it, so that its number is not reused.
///
/// waitid(2) with WEXITED and WNOWAIT, retried after EINTR: 0, or -1 and errno. `status` is the
/// exit status, or the signal if `is_signal` is not 0.
int CHostCalls_awaitEnd(
    int32_t process, int *_Nonnull status, int *_Nonnull is_signal);

/// Has this process killed when the thread that started it ends: 0, or -1 and errno.
///
/// prctl(2) with PR_SET_PDEATHSIG.
int CHostCalls_dieWithParent(void);

/// Keeps this process from getting privileges by a program that it starts: 0, or -1 and errno.
///
/// prctl(2) with PR_SET_NO_NEW_PRIVS.
int CHostCalls_getNoNewPrivileges(void);

/// Keeps this process from leaving a core file, even with a collector: 0, or -1 and errno.
///
/// prctl(2) with PR_SET_DUMPABLE and setrlimit(2) with RLIMIT_CORE.
int CHostCalls_leaveNoCore(void);

/// Names this process in the list of processes, with at most 15 bytes: 0, or -1 and errno.
///
/// prctl(2) with PR_SET_NAME, on the first thread. Messages of the C library have the name, too.
int CHostCalls_setName(const char *_Nonnull name);

/// Drops all capabilities: 0, even when there were none, or -1 and errno of capset(2).
///
/// Capabilities that another program could bring are dropped as well. The bounding set stays where
/// the process may not shrink it (no CAP_SETPCAP).
int CHostCalls_dropCapabilities(void);

/// Refuses calls that a confined process never needs to all its threads, for good.
///
/// Forbidden are sockets of a network, other processes' memory, mounts, keys, modules, tracing and
/// io_uring, and with `allows_local_sockets` of 0 all new sockets: 0, -1 and errno of seccomp(2),
/// or the number of a thread that has another filter.
/// Needs CHostCalls_getNoNewPrivileges().
int CHostCalls_filterCalls(int allows_local_sockets);

/// Begins or ends a coherent read of a dma-buf by the processor: 0, or an errno.
///
/// DMA_BUF_IOCTL_SYNC, retried after EINTR and EAGAIN, as the kernel requires. Memory that is no
/// dma-buf fails with ENOTTY, or with ENOSYS under QEMU's emulation of a processor. Both are 0 here,
/// for it is already coherent.
int CHostCalls_synchronizeRead(int descriptor, int is_begin);

/// Returns the number of the process that holds a lock of lockf(3) on a file, or -1 and errno.
///
/// fcntl(2) with F_GETLK. The number is 0 when no process holds a lock or its number cannot be seen
/// from here. `is_locked` is 1 when a process does.
int32_t CHostCalls_lockHolder(int descriptor, int *_Nonnull is_locked);

/// Returns 1 when another open file owns the buffers of a capturing video node, or else 0.
///
/// Another open file owns them while it streams. Descriptors that are no such node give 0.
///
/// VIDIOC_REQBUFS with a count of 0 frees the buffers of this file, which has none. The kernel
/// returns EBUSY when another file is the queue's owner (vb2_ioctl_reqbufs).
int CHostCalls_streamsForAnother(int descriptor);

/// Has all threads of this process allocate from one arena: 0, or -1.
///
/// mallopt(3) with M_ARENA_MAX; must be called before a second thread allocates.
int CHostCalls_useOneArena(void);

/// Reads a byte of each page of a mapping, so that a later reader waits for no page fault.
void CHostCalls_readPages(const void *_Nonnull mapping, size_t count);

/// Gives the kernel back all pages of free memory: malloc_trim(3).
void CHostCalls_giveBackFreed(void);

// Landlock, as defined in a newer kernel's linux/landlock.h: this machine's headers may be older.

/// Returns the kernel's version of Landlock: 1 or more, or -1 and errno (ENOSYS, EOPNOTSUPP).
int CHostCalls_landlockVersion(void);

/// Makes a ruleset that handles accesses to the file system: its descriptor, or -1 and errno.
int CHostCalls_landlockRuleset(uint64_t handled);

/// Opens a path only as a reference (open(2) with O_PATH): a descriptor, or -1 and errno.
int CHostCalls_openName(const char *_Nonnull path);

/// Allows accesses below an opened file or directory: 0, or -1 and errno.
int CHostCalls_landlockAllow(int ruleset, int parent, uint64_t allowed);

/// Enforces the ruleset for this thread and everything it starts: 0, or -1 and errno.
int CHostCalls_landlockRestrict(int ruleset);

#ifdef __cplusplus
}
#endif

#endif
