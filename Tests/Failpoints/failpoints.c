// A library to preload into rawmill: it makes a worker or its child fail at a chosen place.
//
// By number, for one process family: the calls of a worker that change the file system are counted, and
// the worker and the process that started it are killed right after a chosen one.
//
// RAWMILL_FAILPOINT_LOG    a file that gets a line for each call
// RAWMILL_FAILPOINT_AT     the number of the call, from 1; 0: before the first
// RAWMILL_FAILPOINT_TOKEN  a file that must be there, and is removed: it happens once
//
// By name, while it runs: a file in RAWMILL_FAULT_DIR arms the place that it is named after, and its
// text says what happens there: kill, stop (SIGSTOP), abort, delay MILLISECONDS, lie (the call is made and
// reported as failed with EEXIST), or the name of an error (EIO, ENOSPC, EROFS, ESTALE, EINVAL, EXDEV)
// that is reported instead of making the call. The file is removed by whoever meets it, so that it
// happens once, unless its text ends with "always". Places are
//
//   worker.CALL.before, worker.CALL.after     open (exclusively), fsync, renameat2, link, rename, unlink
//   child.CALL.before, child.CALL.after       pread, pwrite
//   worker.sql.STATEMENT.before, .after       a prepared statement, by its name
//   worker.commit.STATEMENT.before, .after    the COMMIT of the transaction that began with it
//
// RAWMILL_POISON           what begins the name of an input that harms the child which reads it, followed by
//                          -abort, -segv, -loop or -memory
// RAWMILL_PUBLISH_LOG      a file that gets a line for each name that a worker gave to, or took from, a
//                          file that is no temporary: nanoseconds, process, call, from, to; by tabs
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum role { UNKNOWN, OTHER, WORKER, CHILD };

static atomic_int count;

static enum role role(void) {
  static atomic_int known;
  int answer = atomic_load(&known);
  if (answer != UNKNOWN) return answer;
  char line[4096];
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY);
  ssize_t size = fd < 0 ? 0 : syscall(SYS_read, fd, line, sizeof line - 1);
  if (fd >= 0) syscall(SYS_close, fd);
  line[size > 0 ? size : 0] = 0;
  const char *second = line + strlen(line) + 1;
  answer = OTHER;
  if (size > 0 && second < line + size) {
    if (strcmp(second, "worker") == 0) answer = WORKER;
    if (strcmp(second, "child") == 0) answer = CHILD;
  }
  atomic_store(&known, answer);
  return answer;
}

static int is_worker(void) { return role() == WORKER; }

// By number

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
      syscall(SYS_close, fd);
    }
  }
  die_at(number);
}

// By name

#define LIE (-1)

/// What is to happen at a place: 0 nothing, an error's number, or LIE. Kills and stops happen here.
static int meet(const char *call, const char *when) {
  const char *folder = getenv("RAWMILL_FAULT_DIR");
  if (folder == NULL) return 0;
  enum role mine = role();
  if (mine != WORKER && mine != CHILD) return 0;
  char path[PATH_MAX], text[64];
  snprintf(path, sizeof path, "%s/%s.%s.%s", folder, mine == WORKER ? "worker" : "child", call, when);
  int saved = errno;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    errno = saved;
    return 0;
  }
  ssize_t size = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  text[size > 0 ? size : 0] = 0;
  char *always = strstr(text, "always");
  if (always != NULL) {
    *always = 0;
  } else if (syscall(SYS_unlinkat, AT_FDCWD, path, 0) != 0) {
    // Another one met it first.
    errno = saved;
    return 0;
  }
  errno = saved;
  static const struct { const char *name; int number; } errors[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EROFS", EROFS}, {"ESTALE", ESTALE}, {"EINVAL", EINVAL},
    {"EXDEV", EXDEV}, {"lie", LIE},
  };
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    if (strncmp(text, errors[i].name, strlen(errors[i].name)) == 0) return errors[i].number;
  }
  if (strncmp(text, "kill", 4) == 0) kill(getpid(), SIGKILL);
  if (strncmp(text, "stop", 4) == 0) kill(getpid(), SIGSTOP);
  if (strncmp(text, "abort", 5) == 0) abort();
  if (strncmp(text, "delay", 5) == 0) {
    long wait = atol(text + 5);
    struct timespec time = {wait / 1000, wait % 1000 * 1000000};
    nanosleep(&time, NULL);
  }
  return 0;
}

static int is_temporary(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  size_t length = strlen(name);
  return name[0] == '.' && length > 4 && strcmp(name + length - 4, ".tmp") == 0;
}

static void publication(const char *call, const char *from, const char *to) {
  const char *log = getenv("RAWMILL_PUBLISH_LOG");
  if (log == NULL || !is_worker() || is_temporary(to)) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[2 * PATH_MAX + 128];
  int size = snprintf(line, sizeof line, "%lld\t%d\t%s\t%s\t%s\n",
    (long long)now.tv_sec * 1000000000 + now.tv_nsec, getpid(), call, from, to);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  // One write: lines of several processes do not mix.
  if (size > 0 && size < (int)sizeof line) syscall(SYS_write, fd, line, (size_t)size);
  syscall(SYS_close, fd);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/// Makes a call at its place; `make` is evaluated unless an error is to be reported instead of it.
#define AT_PLACE(type, name, make, success)     \
  begin();                                      \
  int fault = meet(name, "before");             \
  type result;                                  \
  if (fault > 0) {                              \
    result = (type)-1;                          \
    errno = fault;                              \
  } else {                                      \
    result = (make);                            \
    int error = errno;                          \
    if (result >= 0) {                          \
      success;                                  \
      meet(name, "after");                      \
    }                                           \
    errno = error;                              \
    if (fault == LIE && result >= 0) {          \
      result = (type)-1;                        \
      errno = EEXIST;                           \
    }                                           \
  }                                             \
  int outcome = errno;                          \
  end(name);                                    \
  errno = outcome;                              \
  return result

int link(const char *from, const char *to) {
  AT_PLACE(int, "link", REAL(link)(from, to), publication("link", from, to));
}

int rename(const char *from, const char *to) {
  AT_PLACE(int, "rename", REAL(rename)(from, to), publication("rename", from, to));
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  AT_PLACE(
    int, "renameat2", REAL(renameat2)(a, from, b, to, flags), publication("renameat2", from, to));
}

int fsync(int fd) { AT_PLACE(int, "fsync", REAL(fsync)(fd), (void)0); }

int unlink(const char *path) {
  AT_PLACE(int, "unlink", REAL(unlink)(path), publication("unlink", path, path));
}

int mkdir(const char *path, mode_t mode) {
  begin();
  int result = REAL(mkdir)(path, mode);
  int error = errno;
  end("mkdir");
  errno = error;
  return result;
}

int fchmod(int fd, mode_t mode) {
  begin();
  int result = REAL(fchmod)(fd, mode);
  int error = errno;
  end("fchmod");
  errno = error;
  return result;
}

int futimens(int fd, const struct timespec times[2]) {
  begin();
  int result = REAL(futimens)(fd, times);
  int error = errno;
  end("futimens");
  errno = error;
  return result;
}

static int opened(const char *path, int flags, mode_t mode) {
  if (!(flags & O_EXCL)) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  AT_PLACE(int, "open", (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), (void)0);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

// What a child reads and writes.

/// Inputs that harm whoever reads them.
static void taste(int fd) {
  const char *poison = getenv("RAWMILL_POISON");
  if (poison == NULL) return;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  path[size > 0 ? size : 0] = 0;
  const char *slash = strrchr(path, '/');
  size_t length = strlen(poison);
  if (slash == NULL || strncmp(slash + 1, poison, length) != 0) return;
  const char *kind = slash + 1 + length;
  if (strncmp(kind, "-abort", 6) == 0) abort();
  if (strncmp(kind, "-segv", 5) == 0) kill(getpid(), SIGSEGV);
  if (strncmp(kind, "-loop", 5) == 0) for (;;) pause();
  if (strncmp(kind, "-memory", 7) == 0) {
    // As the kernel does when memory runs out.
    kill(getpid(), SIGKILL);
  }
}

static ssize_t transferred(const char *name, ssize_t (*make)(int, void *, size_t, off_t), int fd,
                           void *bytes, size_t size, off_t offset) {
  if (role() != CHILD) return make(fd, bytes, size, offset);
  taste(fd);
  int fault = meet(name, "before");
  if (fault > 0) {
    errno = fault;
    return -1;
  }
  ssize_t result = make(fd, bytes, size, offset);
  int error = errno;
  if (result >= 0) meet(name, "after");
  errno = error;
  return result;
}

static ssize_t real_pread(int fd, void *bytes, size_t size, off_t offset) {
  return syscall(SYS_pread64, fd, bytes, size, offset);
}

static ssize_t real_pwrite(int fd, void *bytes, size_t size, off_t offset) {
  return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset) {
  return transferred("pread", real_pread, fd, bytes, size, offset);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset) {
  return transferred("pread", real_pread, fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  return transferred("pwrite", real_pwrite, fd, (void *)bytes, size, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  return transferred("pwrite", real_pwrite, fd, (void *)bytes, size, offset);
}

// What a worker says to the database. libpq's types are opaque here.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
int PQsendQuery(PGconn *connection, const char *sql);
int PQsendQueryPrepared(PGconn *connection, const char *statement, int count,
                        const char *const *values, const int *lengths, const int *formats, int format);
PGresult *PQgetResult(PGconn *connection);

/// The statement that the transaction of this thread began with; empty: none yet.
static __thread char first[64];
static __thread int is_open;
/// The place of the statement whose results this thread has not read to their end; empty: none.
static __thread char running[128];

static void begin_statement(const char *kind, const char *name) {
  snprintf(running, sizeof running, "%s.%s", kind, name);
  meet(running, "before");
}

int PQsendQuery(PGconn *connection, const char *sql) {
  if (!is_worker()) return REAL(PQsendQuery)(connection, sql);
  int is_commit = strcmp(sql, "COMMIT") == 0;
  if (is_commit) begin_statement("commit", first);
  if (strcmp(sql, "BEGIN") == 0) {
    is_open = 1;
    first[0] = 0;
  } else if (is_commit || strcmp(sql, "ROLLBACK") == 0) {
    is_open = 0;
  }
  return REAL(PQsendQuery)(connection, sql);
}

int PQsendQueryPrepared(PGconn *connection, const char *statement, int count,
                        const char *const *values, const int *lengths, const int *formats, int format) {
  if (is_worker()) {
    if (is_open && first[0] == 0) snprintf(first, sizeof first, "%s", statement);
    begin_statement("sql", statement);
  }
  return REAL(PQsendQueryPrepared)(connection, statement, count, values, lengths, formats, format);
}

/// No result is left: the server has answered.
PGresult *PQgetResult(PGconn *connection) {
  PGresult *result = REAL(PQgetResult)(connection);
  if (result == NULL && running[0] != 0) {
    char place[sizeof running];
    memcpy(place, running, sizeof place);
    running[0] = 0;
    meet(place, "after");
  }
  return result;
}
