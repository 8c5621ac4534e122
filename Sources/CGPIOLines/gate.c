#include <errno.h>
#include <sys/epoll.h>

#include "internal.h"

int cgpiolines_gate_open(void) {
  int gate = epoll_create1(EPOLL_CLOEXEC);
  return gate < 0 ? cgpiolines_last_error() : gate;
}

int cgpiolines_gate_listen(int gate, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  return epoll_ctl(gate, EPOLL_CTL_ADD, fd, &event) < 0 && errno != EEXIST ? cgpiolines_last_error() : 0;
}

void cgpiolines_gate_silence(int gate, int fd) { epoll_ctl(gate, EPOLL_CTL_DEL, fd, NULL); }
