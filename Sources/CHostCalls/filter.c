/* A filter of system calls for a process that needs neither a network nor other processes (seccomp(2)). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CHostCalls.h"

#if defined(__x86_64__)
#define PLATEN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PLATEN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/* Refuses a call; goes on with the next statement after any other. */
#define FORBID(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), REFUSE(EPERM)

int CHostCalls_filterCalls(int allows_local_sockets) {
#if defined(PLATEN_ARCHITECTURE) && defined(SYS_seccomp)
  /* The kernel has no family of the second number. */
  const unsigned local = allows_local_sockets ? AF_UNIX : ~0U;
  const unsigned netlink = allows_local_sockets ? AF_NETLINK : ~0U;
  struct sock_filter program[] = {
      FIELD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PLATEN_ARCHITECTURE, 1, 0),
      /* Another processor's calls have other numbers. */
      REFUSE(ENOSYS),
      FIELD(nr),
#if defined(__x86_64__)
      /* Those of the x32 interface, too. */
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE(ENOSYS),
#endif
      FORBID(SYS_ptrace),
      FORBID(SYS_process_vm_readv),
      FORBID(SYS_process_vm_writev),
      FORBID(SYS_mount),
      FORBID(SYS_umount2),
      FORBID(SYS_pivot_root),
      FORBID(SYS_chroot),
      /* unshare(2) stays: libcamera keeps unsigned IPA modules in namespaces. */
      FORBID(SYS_setns),
      FORBID(SYS_bpf),
      FORBID(SYS_perf_event_open),
      FORBID(SYS_userfaultfd),
      FORBID(SYS_add_key),
      FORBID(SYS_request_key),
      FORBID(SYS_keyctl),
      FORBID(SYS_init_module),
      FORBID(SYS_finit_module),
      FORBID(SYS_delete_module),
      FORBID(SYS_kexec_load),
      FORBID(SYS_reboot),
      /* A ring makes calls that no filter sees. */
      FORBID(425 /* io_uring_setup */),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
      ALLOW,
      /* udev's news come over netlink; loggers and tracers listen on sockets of this machine. */
      FIELD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, local, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, netlink, 1, 0),
      REFUSE(EAFNOSUPPORT),
      ALLOW,
  };
  struct sock_fprog filter = {
      .len = (unsigned short)(sizeof program / sizeof *program), .filter = program};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
#else
  (void)allows_local_sockets;
  errno = ENOSYS;
  return -1;
#endif
}
