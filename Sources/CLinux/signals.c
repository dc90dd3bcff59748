#include "shim.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static volatile int counter = -1;

// Only async-signal-safe calls are allowed here; the interrupted code's errno stays as it was.
static void count_signal(int number) {
  (void)number;
  int saved = errno;
  uint64_t one = 1;
  ssize_t ignored = write(counter, &one, sizeof one);
  (void)ignored;
  errno = saved;
}

int rawmill_count_signal(int number) {
  if (counter < 0) {
    int descriptor = eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0) return -errno;
    counter = descriptor;
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, &action, NULL) != 0) return -errno;
  return counter;
}

uint64_t rawmill_read_signal_count(int descriptor) {
  uint64_t count = 0;
  ssize_t size;
  do size = read(descriptor, &count, sizeof count);
  while (size < 0 && errno == EINTR);
  return size == sizeof count ? count : 0;
}
