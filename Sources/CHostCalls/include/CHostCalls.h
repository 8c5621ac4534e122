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

/// The most descriptors that one message is received with; a message with more is refused.
enum { CHostCalls_maximumDescriptors = 4 };

/// Sends one packet, with a descriptor when it is not negative (SCM_RIGHTS).
///
/// sendmsg(2) with MSG_NOSIGNAL, again after EINTR: 0, or -1 and errno.
int CHostCalls_send(
    int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// Receives one packet and the descriptors that came with it, which are close-on-exec.
///
/// recvmsg(2) with MSG_CMSG_CLOEXEC, again after EINTR: the packet's length, 0 at the end of the
/// connection, or -1 and errno. `is_cut` is 1 when the packet or its descriptors did not fit (the
/// descriptors also when the process may have no more).
ptrdiff_t CHostCalls_receive(
    int socket, void *_Nonnull bytes, size_t capacity, int *_Nonnull descriptors,
    int *_Nonnull descriptor_count, int *_Nonnull is_cut);

/// Starts a program as the leader of a session of its own, with a socket and nothing else.
///
/// posix_spawn(3): 0 and `process`, or an errno. The program has the socket at
/// CHostCalls_socketDescriptor, /dev/null as its input, this process's standard error as its output
/// and error, no blocked and no ignored signal, and no other descriptor.
int CHostCalls_spawn(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, int socket, int32_t *_Nonnull process);

/// Waits for the end of a child without taking it away, so that its number stays its own.
///
/// waitid(2) with WEXITED and WNOWAIT, again after EINTR: 0, or -1 and errno. `status` is the exit
/// status or the signal; `is_signal` says which.
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

/// Keeps this process from leaving a core file, also with a collector: 0, or -1 and errno.
///
/// prctl(2) with PR_SET_DUMPABLE and setrlimit(2) with RLIMIT_CORE.
int CHostCalls_leaveNoCore(void);

/// Names this process in the list of processes, with at most 15 bytes: 0, or -1 and errno.
///
/// prctl(2) with PR_SET_NAME, on the first thread.
int CHostCalls_setName(const char *_Nonnull name);

/// Gives up all capabilities, also those that another program could bring: 0, also when there were
/// none, or -1 and errno of capset(2). The bounding set stays where the process may not shrink it
/// (no CAP_SETPCAP).
int CHostCalls_dropCapabilities(void);

/// Makes a dma-buf coherent for reading by the processor, or ends that: 0, or an errno.
///
/// DMA_BUF_IOCTL_SYNC, again after EINTR and EAGAIN, as the kernel asks for. Memory that is no
/// dma-buf answers ENOTTY, which is 0 here: it is coherent as it is.
int CHostCalls_synchronizeRead(int descriptor, int is_begin);

/// Says which process holds a lock of lockf(3) on a file: its number, 0 when none does or it cannot
/// be seen from here, or -1 and errno. `is_locked` is 1 when somebody does.
///
/// fcntl(2) with F_GETLK.
int32_t CHostCalls_lockHolder(int descriptor, int *_Nonnull is_locked);

/// Says whether the buffers of a video node that captures belong to another open file, as they do
/// while that streams: 1 or 0; 0 also for what is no such node.
///
/// VIDIOC_REQBUFS with a count of 0, which frees what this file has, and it has none; the kernel
/// answers EBUSY when another file is the queue's owner (vb2_ioctl_reqbufs).
int CHostCalls_streamsForAnother(int descriptor);

// Landlock, as linux/landlock.h of a newer kernel has it: the headers of this machine may be older.

/// The version of Landlock that the kernel has: 1 or more, or -1 and errno (ENOSYS, EOPNOTSUPP).
int CHostCalls_landlockVersion(void);

/// Makes a ruleset that handles accesses to the file system: its descriptor, or -1 and errno.
int CHostCalls_landlockRuleset(uint64_t handled);

/// Opens a file or directory only to name it (open(2) with O_PATH): a descriptor, or -1 and errno.
int CHostCalls_openName(const char *_Nonnull path);

/// Allows accesses below an opened file or directory: 0, or -1 and errno.
int CHostCalls_landlockAllow(int ruleset, int parent, uint64_t allowed);

/// Puts the ruleset in force for this thread and all that it starts: 0, or -1 and errno.
int CHostCalls_landlockRestrict(int ruleset);

#ifdef __cplusplus
}
#endif

#endif
