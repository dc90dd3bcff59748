#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// The most descriptors one message carries: an input, and outputs of a recipe.
enum { descriptor_limit = 80 };

int rawmill_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ? -errno : 0;
}

int rawmill_pipe_nonblocking(int ends[2]) {
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0 ? -errno : 0;
}

int rawmill_shutdown(int socket) { return shutdown(socket, SHUT_RDWR) != 0 ? -errno : 0; }

ssize_t rawmill_send(int socket, const void *bytes, size_t count, const int *descriptors,
                     int descriptor_count) {
  if (descriptor_count < 0 || descriptor_count > descriptor_limit) return -EMSGSIZE;
  union {
    char bytes[CMSG_SPACE(sizeof(int) * descriptor_limit)];
    struct cmsghdr align;
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    size_t length = sizeof(int) * (size_t)descriptor_count;
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(length);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(length);
    memcpy(CMSG_DATA(header), descriptors, length);
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

ssize_t rawmill_receive(int socket, void *bytes, size_t count, int *descriptors,
                        int *descriptor_count) {
  union {
    char bytes[CMSG_SPACE(sizeof(int) * descriptor_limit)];
    struct cmsghdr align;
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control};
  int capacity = *descriptor_count;
  *descriptor_count = 0;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  int overflow = (message.msg_flags & MSG_CTRUNC) != 0;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t n = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < n; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      if (*descriptor_count < capacity) {
        descriptors[(*descriptor_count)++] = fd;
      } else {
        close(fd);
        overflow = 1;
      }
    }
  }
  if (overflow) {
    for (int i = 0; i < *descriptor_count; i++) close(descriptors[i]);
    *descriptor_count = 0;
    return -EMSGSIZE;
  }
  return received;
}

int rawmill_wait_readable(int descriptor, int timeout_milliseconds) {
  struct pollfd wait = {.fd = descriptor, .events = POLLIN};
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int left = timeout_milliseconds;
  for (;;) {
    int n = poll(&wait, 1, left);
    if (n >= 0) return n > 0;
    if (errno != EINTR) return -errno;
    if (timeout_milliseconds < 0) continue;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long passed = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
    left = passed >= timeout_milliseconds ? 0 : timeout_milliseconds - (int)passed;
  }
}
