#pragma once
#include <errno.h>
#include <stdint.h>
#include <sys/socket.h>

/// Returns the process of a connection's peer, its user and its group: 0, or an errno.
///
/// getsockopt(2) with SO_PEERCRED. The three numbers are the fields of struct ucred, which the C
/// library declares only with _GNU_SOURCE.
static inline int CPeerCalls_credentials(
    int socket, int32_t *_Nonnull process, uint32_t *_Nonnull user, uint32_t *_Nonnull group) {
  struct {
    int32_t process;
    uint32_t user;
    uint32_t group;
  } credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
    return errno;
  *process = credentials.process;
  *user = credentials.user;
  *group = credentials.group;
  return 0;
}

/// Returns the supplementary groups of a connection's peer: 0, or an errno.
///
/// getsockopt(2) with SO_PEERGROUPS. `count` is the number of groups that fit, and on return the
/// number that exist, even with ERANGE, when there is too little room.
static inline int CPeerCalls_groups(
    int socket, uint32_t *_Nonnull groups, uint32_t *_Nonnull count) {
  socklen_t length = *count * (socklen_t)sizeof *groups;
  const int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length);
  const int error = result == 0 ? 0 : errno;
  if (error == 0 || error == ERANGE)
    *count = length / (socklen_t)sizeof *groups;
  return error;
}
