// A library to preload: it counts the calls of a rawmill worker that change the file system, and kills
// the worker and the process that started it right after a chosen one.
//
// RAWMILL_FAILPOINT_LOG    a file that gets a line for each call
// RAWMILL_FAILPOINT_AT     the number of the call, from 1; 0: before the first
// RAWMILL_FAILPOINT_TOKEN  a file that must be there, and is removed: it happens once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static atomic_int count;

static int is_worker(void) {
  static atomic_int known;  // 0: not yet, 1: no, 2: yes
  int answer = atomic_load(&known);
  if (answer != 0) return answer == 2;
  char line[4096];
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY);
  ssize_t size = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
  if (fd >= 0) close(fd);
  line[size > 0 ? size : 0] = 0;
  const char *second = line + strlen(line) + 1;
  answer = size > 0 && second < line + size && strcmp(second, "worker") == 0 ? 2 : 1;
  atomic_store(&known, answer);
  return answer == 2;
}

static void die_at(int number) {
  const char *at = getenv("RAWMILL_FAILPOINT_AT");
  const char *token = getenv("RAWMILL_FAILPOINT_TOKEN");
  if (at == NULL || token == NULL || atoi(at) != number) return;
  if (syscall(SYS_unlinkat, AT_FDCWD, token, 0) != 0) return;
  kill(getppid(), SIGKILL);
  kill(getpid(), SIGKILL);
}

/// Before a call.
static void begin(void) {
  if (is_worker() && atomic_load(&count) == 0) die_at(0);
}

/// After a call that succeeded or failed.
static void end(const char *name) {
  if (!is_worker()) return;
  int number = atomic_fetch_add(&count, 1) + 1;
  const char *log = getenv("RAWMILL_FAILPOINT_LOG");
  if (log != NULL) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd >= 0) {
      dprintf(fd, "%d %s\n", number, name);
      close(fd);
    }
  }
  die_at(number);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int link(const char *from, const char *to) {
  begin();
  int result = REAL(link)(from, to);
  end("link");
  return result;
}

int rename(const char *from, const char *to) {
  begin();
  int result = REAL(rename)(from, to);
  end("rename");
  return result;
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  begin();
  int result = REAL(renameat2)(a, from, b, to, flags);
  end("renameat2");
  return result;
}

int fsync(int fd) {
  begin();
  int result = REAL(fsync)(fd);
  end("fsync");
  return result;
}

int unlink(const char *path) {
  begin();
  int result = REAL(unlink)(path);
  end("unlink");
  return result;
}

int mkdir(const char *path, mode_t mode) {
  begin();
  int result = REAL(mkdir)(path, mode);
  end("mkdir");
  return result;
}

int fchmod(int fd, mode_t mode) {
  begin();
  int result = REAL(fchmod)(fd, mode);
  end("fchmod");
  return result;
}

int futimens(int fd, const struct timespec times[2]) {
  begin();
  int result = REAL(futimens)(fd, times);
  end("futimens");
  return result;
}

static int opened(const char *path, int flags, mode_t mode) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (flags & O_EXCL) end("open");
  return fd;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (flags & O_EXCL) begin();
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (flags & O_EXCL) begin();
  return opened(path, flags, mode);
}
