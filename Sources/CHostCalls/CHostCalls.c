#define _GNU_SOURCE
#include "CHostCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/dma-buf.h>
#include <linux/videodev2.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int CHostCalls_send(
    int socket, const void *_Nonnull bytes, size_t count, const int *_Nullable descriptors,
    int descriptor_count) {
  struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * CHostCalls_maximumDescriptors)];
  } control;
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (descriptor_count > CHostCalls_maximumDescriptors) {
    errno = EINVAL;
    return -1;
  }
  if (descriptors && descriptor_count > 0) {
    const size_t size = sizeof(int) * (size_t)descriptor_count;
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE(size);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), descriptors, size);
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

ptrdiff_t CHostCalls_receive(
    int socket, void *_Nonnull bytes, size_t capacity, int *_Nonnull descriptors,
    int *_Nonnull descriptor_count, int *_Nonnull is_cut) {
  struct iovec vector = {.iov_base = bytes, .iov_len = capacity};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * CHostCalls_maximumDescriptors)];
  } control;
  struct msghdr message = {
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = control.space,
      .msg_controllen = sizeof control.space};
  *descriptor_count = 0;
  *is_cut = 0;
  ssize_t length;
  do {
    length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (length < 0 && errno == EINTR);
  if (length < 0)
    return -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
      continue;
    const int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int index = 0; index < count && *descriptor_count < CHostCalls_maximumDescriptors;
         index++) {
      memcpy(
          &descriptors[(*descriptor_count)++], CMSG_DATA(header) + sizeof(int) * (size_t)index,
          sizeof(int));
    }
  }
  *is_cut = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  return length;
}

int CHostCalls_spawn(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment, int socket, int32_t *_Nonnull process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigemptyset(&none);
  sigfillset(&all);
  // The socket is moved first, because its number may be a target of the later actions.
  if (!error)
    error = posix_spawn_file_actions_adddup2(&actions, socket, CHostCalls_socketDescriptor);
  if (!error)
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!error)
    error = posix_spawn_file_actions_adddup2(&actions, 2, 1);
  if (!error)
    error = posix_spawn_file_actions_addclosefrom_np(&actions, CHostCalls_socketDescriptor + 1);
  if (!error)
    error = posix_spawnattr_setsigmask(&attributes, &none);
  if (!error)
    error = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!error)
    error = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  if (!error)
    error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int32_t CHostCalls_fork(void) { return fork(); }

int CHostCalls_standAlone(int socket) {
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  sigset_t none;
  sigemptyset(&none);
  if (setsid() < 0)
    return -1;
  // Two of the signals have no other action, and the C library keeps some for itself.
  for (int number = 1; number < NSIG; number++)
    (void)sigaction(number, &standard, NULL);
  // dup2() leaves a descriptor alone that has the number already.
  if (sigprocmask(SIG_SETMASK, &none, NULL) != 0 ||
      dup2(socket, CHostCalls_socketDescriptor) < 0 ||
      fcntl(CHostCalls_socketDescriptor, F_SETFD, 0) != 0)
    return -1;
  const int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0)
    return -1;
  closefrom(CHostCalls_socketDescriptor + 1);
  return 0;
}

int CHostCalls_awaitEnd(
    int32_t process, int *_Nonnull status, int *_Nonnull is_signal) {
  siginfo_t information;
  int result;
  do {
    memset(&information, 0, sizeof information);
    result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  *status = information.si_status;
  *is_signal = information.si_code != CLD_EXITED;
  return result;
}

int CHostCalls_dieWithParent(void) { return prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL); }

int CHostCalls_getNoNewPrivileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL); }

int CHostCalls_leaveNoCore(void) {
  const struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};
  if (prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL) != 0)
    return -1;
  return setrlimit(RLIMIT_CORE, &none);
}

int CHostCalls_setName(const char *_Nonnull name) {
  char *const kept = strdup(name);
  if (kept)
    program_invocation_name = program_invocation_short_name = kept;
  return prctl(PR_SET_NAME, name, 0UL, 0UL, 0UL);
}

int CHostCalls_dropCapabilities(void) {
  for (unsigned long capability = 0; capability < 64; capability++)
    (void)prctl(PR_CAPBSET_DROP, capability, 0UL, 0UL, 0UL);
  (void)prctl(PR_CAP_AMBIENT, (unsigned long)PR_CAP_AMBIENT_CLEAR_ALL, 0UL, 0UL, 0UL);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  if (syscall(SYS_capset, &header, data) == 0)
    return 0;
  // A supervisor may forbid the call after having dropped everything.
  const int error = errno;
  if (syscall(SYS_capget, &header, data) == 0) {
    const uint32_t held = data[0].effective | data[0].permitted | data[0].inheritable |
                          data[1].effective | data[1].permitted | data[1].inheritable;
    if (!held)
      return 0;
  }
  errno = error;
  return -1;
}

int CHostCalls_synchronizeRead(int descriptor, int is_begin) {
  struct dma_buf_sync sync = {
      .flags = DMA_BUF_SYNC_READ | (is_begin ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END)};
  while (ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &sync) != 0) {
    if (errno == ENOTTY || errno == EINVAL || errno == ENOSYS)
      return 0;
    if (errno != EINTR && errno != EAGAIN)
      return errno;
  }
  return 0;
}

int32_t CHostCalls_lockHolder(int descriptor, int *_Nonnull is_locked) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  *is_locked = 0;
  if (fcntl(descriptor, F_GETLK, &lock) != 0)
    return -1;
  *is_locked = lock.l_type != F_UNLCK;
  return *is_locked && lock.l_pid > 0 ? lock.l_pid : 0;
}

int CHostCalls_streamsForAnother(int descriptor) {
  struct v4l2_capability capability = {0};
  if (ioctl(descriptor, VIDIOC_QUERYCAP, &capability) != 0)
    return 0;
  const uint32_t abilities = capability.capabilities & V4L2_CAP_DEVICE_CAPS
                                 ? capability.device_caps
                                 : capability.capabilities;
  struct v4l2_requestbuffers request = {.count = 0, .memory = V4L2_MEMORY_MMAP};
  if (abilities & V4L2_CAP_VIDEO_CAPTURE)
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  else if (abilities & V4L2_CAP_VIDEO_CAPTURE_MPLANE)
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  else
    return 0;
  return ioctl(descriptor, VIDIOC_REQBUFS, &request) != 0 && errno == EBUSY;
}

int CHostCalls_useOneArena(void) { return mallopt(M_ARENA_MAX, 1) == 1 ? 0 : -1; }

void CHostCalls_readPages(const void *_Nonnull mapping, size_t count) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t offset = 0; offset < count; offset += page)
    (void)((const volatile unsigned char *)mapping)[offset];
}

void CHostCalls_giveBackFreed(void) { malloc_trim(0); }

int CHostCalls_landlockVersion(void) {
#ifdef SYS_landlock_create_ruleset
  return (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1U);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int CHostCalls_landlockRuleset(uint64_t handled) {
#ifdef SYS_landlock_create_ruleset
  // The structure has the first field only, which all versions take.
  return (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0U);
#else
  (void)handled;
  errno = ENOSYS;
  return -1;
#endif
}

int CHostCalls_openName(const char *_Nonnull path) { return open(path, O_PATH | O_CLOEXEC); }

int CHostCalls_landlockAllow(int ruleset, int parent, uint64_t allowed) {
#ifdef SYS_landlock_add_rule
  struct {
    uint64_t allowed;
    int32_t parent;
  } __attribute__((packed)) rule = {allowed, parent};
  return (int)syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0U);
#else
  (void)ruleset, (void)parent, (void)allowed;
  errno = ENOSYS;
  return -1;
#endif
}

int CHostCalls_landlockRestrict(int ruleset) {
#ifdef SYS_landlock_restrict_self
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0U);
#else
  (void)ruleset;
  errno = ENOSYS;
  return -1;
#endif
}
