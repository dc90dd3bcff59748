#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int rawmill_die_with_parent(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -errno;
  // The parent may have ended before the call: then the signal never comes.
  return getppid() == parent ? 0 : -ESRCH;
}

int rawmill_kill(pid_t process, int signal) { return kill(process, signal) != 0 ? -errno : 0; }

int rawmill_wait_process(pid_t process, int block, struct rawmill_exit *ended) {
  int status = 0;
  struct rusage usage;
  pid_t result;
  do {
    result = wait4(process, &status, block ? 0 : WNOHANG, &usage);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -errno;
  if (result == 0) return 0;
  ended->exited = WIFEXITED(status);
  ended->value = ended->exited ? WEXITSTATUS(status) : WTERMSIG(status);
  ended->user_microseconds = (int64_t)usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
  ended->system_microseconds = (int64_t)usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
  ended->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
  return 1;
}

// For kernels and container profiles that refuse pidfd_open: a look every 10 ms.
int rawmill_poll_ended(pid_t process, int timeout_milliseconds) {
  for (int waited = 0;; waited += 10) {
    siginfo_t ended = {.si_pid = 0};
    // The process stays a zombie, so that its id is still ours.
    int failed = waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ? errno : 0;
    if (failed != 0 && failed != EINTR) return -failed;
    if (failed == 0 && ended.si_pid != 0) return 1;
    if (waited >= timeout_milliseconds) return 0;
    struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    nanosleep(&pause, NULL);
  }
}

int rawmill_wait_ended(pid_t process, int timeout_milliseconds) {
#ifdef SYS_pidfd_open
  long handle = syscall(SYS_pidfd_open, process, 0);
  if (handle >= 0) {
    int result = rawmill_wait_readable((int)handle, timeout_milliseconds);
    close((int)handle);
    return result;
  }
#endif
  return rawmill_poll_ended(process, timeout_milliseconds);
}

char **rawmill_environment(void) { return environ; }

// Between fork and exec only async-signal-safe calls are allowed: other threads of the parent may
// have held any lock at the fork.

static void fail(int report) {
  int error = errno;
  ssize_t ignored = write(report, &error, sizeof error);
  (void)ignored;
  _exit(127);
}

static int limit(int resource, uint64_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return -1;
  if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) value = now.rlim_max;
  struct rlimit wanted = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &wanted);
}

static int close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return 0;
#endif
  struct rlimit open_files;
  if (getrlimit(RLIMIT_NOFILE, &open_files) != 0) return -1;
  for (rlim_t fd = (rlim_t)first; fd < open_files.rlim_cur && fd < 1 << 20; fd++) close((int)fd);
  return 0;
}

static void run_child(const struct rawmill_spawn *s, pid_t parent, int report) {
  sigset_t none;
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  // A file over its size limit is an error of the write, not a death without a message.
  if (s->data_limit != 0 && limit(RLIMIT_DATA, s->data_limit) != 0) fail(report);
  if (s->file_size_limit != 0) signal(SIGXFSZ, SIG_IGN);

  // Sources move above every target first, or a dup2 would overwrite one that is still needed.
  int count = s->descriptor_count;
  int sources[80];
  if (count > 72) {
    errno = EMSGSIZE;
    fail(report);
  }
  int moved_report = fcntl(report, F_DUPFD_CLOEXEC, count + 1);
  if (moved_report < 0) fail(report);
  report = moved_report;
  for (int i = 0; i < count; i++) {
    int source = s->descriptors[i];
    if (source < 0) {
      source = open("/dev/null", O_RDWR | O_CLOEXEC);
      if (source < 0) fail(report);
    }
    sources[i] = fcntl(source, F_DUPFD_CLOEXEC, count + 1);
    if (sources[i] < 0) fail(report);
  }
  for (int i = 0; i < count; i++) {
    if (dup2(sources[i], i) < 0) fail(report);
  }
  if (dup2(report, count) < 0) fail(report);
  report = count;
  if (fcntl(report, F_SETFD, FD_CLOEXEC) != 0) fail(report);
  if (close_from(count + 1) != 0) fail(report);

  if (s->own_group && setpgid(0, 0) != 0) fail(report);
  if (s->no_core && limit(RLIMIT_CORE, 0) != 0) fail(report);
  if (s->address_space_limit != 0 && limit(RLIMIT_AS, s->address_space_limit) != 0) fail(report);
  if (s->file_size_limit != 0 && limit(RLIMIT_FSIZE, s->file_size_limit) != 0) fail(report);
  if (s->group >= 0) {
    gid_t group = (gid_t)s->group;
    // The raw call: glibc's wrapper would signal the threads that this copy does not have.
    if (syscall(SYS_setgroups, 1, &group) != 0) fail(report);
    if (syscall(SYS_setresgid, group, group, group) != 0) fail(report);
  }
  if (s->user >= 0) {
    uid_t user = (uid_t)s->user;
    if (syscall(SYS_setresuid, user, user, user) != 0) fail(report);
  }
  if (s->directory != NULL && chdir(s->directory) != 0) fail(report);
  // After the change of user, which clears the death signal.
  if (s->dies_with_parent) {
    int failed = rawmill_die_with_parent(parent);
    if (failed != 0) {
      errno = -failed;
      fail(report);
    }
  }
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(s->path, s->arguments, s->environment);
  fail(report);
}

static int spawn_here(const struct rawmill_spawn *specification, pid_t *process) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -errno;
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) run_child(specification, parent, report[1]);
  int error = child < 0 ? errno : 0;
  close(report[1]);
  if (child > 0) {
    // Nothing comes when exec succeeds: the pipe closes with it.
    ssize_t got;
    do {
      got = read(report[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    if (got != sizeof error) error = 0;
    if (error != 0) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
      }
    }
  }
  close(report[0]);
  if (error != 0) return -error;
  *process = child;
  return 0;
}

// MARK: The thread that forks

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int start_error;
/// The one request under way; guarded by `lock`.
static struct {
  const struct rawmill_spawn *specification;
  pid_t process;
  int result;
  enum { slot_free, slot_asked, slot_answered } state;
} slot;

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (slot.state != slot_asked) pthread_cond_wait(&changed, &lock);
    slot.result = spawn_here(slot.specification, &slot.process);
    slot.state = slot_answered;
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static void start_server(void) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  // Its mask is inherited: signals of the process go to other threads, and the copy after a fork
  // meets none before it has set its handlers.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  start_error = pthread_create(&thread, NULL, serve, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (start_error == 0) pthread_detach(thread);
}

int rawmill_spawn_process(const struct rawmill_spawn *specification, pid_t *process) {
  pthread_once(&once, start_server);
  if (start_error != 0) return -start_error;
  pthread_mutex_lock(&lock);
  while (slot.state != slot_free) pthread_cond_wait(&changed, &lock);
  slot.specification = specification;
  slot.state = slot_asked;
  pthread_cond_broadcast(&changed);
  while (slot.state != slot_answered) pthread_cond_wait(&changed, &lock);
  int result = slot.result;
  *process = slot.process;
  slot.state = slot_free;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return result;
}
