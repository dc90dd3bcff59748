#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <stdlib.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#define RETRY(call)                          \
  ({                                         \
    long result_;                            \
    do {                                     \
      result_ = (long)(call);                \
    } while (result_ == -1 && errno == EINTR); \
    result_;                                 \
  })

int rawmill_open(const char *path, int flags, unsigned mode) {
  long fd = RETRY(open(path, flags | O_CLOEXEC, (mode_t)mode));
  return fd < 0 ? -errno : (int)fd;
}

static void copy_status(const struct stat *from, struct rawmill_status *to) {
  to->device = from->st_dev;
  to->inode = from->st_ino;
  to->size = from->st_size;
  to->mtime_seconds = from->st_mtim.tv_sec;
  to->mtime_nanoseconds = from->st_mtim.tv_nsec;
  to->link_count = from->st_nlink;
  to->mode = from->st_mode;
  to->owner = from->st_uid;
  to->group = from->st_gid;
}

int rawmill_fstat(int descriptor, struct rawmill_status *status) {
  struct stat result;
  if (fstat(descriptor, &result) != 0) return -errno;
  copy_status(&result, status);
  return 0;
}

int rawmill_stat(const char *path, int follow_links, struct rawmill_status *status) {
  struct stat result;
  if (fstatat(AT_FDCWD, path, &result, follow_links ? 0 : AT_SYMLINK_NOFOLLOW) != 0) return -errno;
  copy_status(&result, status);
  return 0;
}

int rawmill_rename_noreplace(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) != 0 ? -errno : 0;
}

int rawmill_rename(const char *from, const char *to) {
  return rename(from, to) != 0 ? -errno : 0;
}

int rawmill_flock(int descriptor, int operation) {
  return RETRY(flock(descriptor, operation)) != 0 ? -errno : 0;
}

/// One attribute; 0 or a negated errno.
static int copy_attribute(int from, int to, const char *name, const char **call) {
  // The label of a security module belongs to the place and is given by the policy.
  if (strcmp(name, "security.selinux") == 0) return 0;
  *call = "fgetxattr";
  ssize_t size = fgetxattr(from, name, NULL, 0);
  if (size < 0) return errno == ENODATA ? 0 : -errno;
  void *value = malloc(size > 0 ? (size_t)size : 1);
  if (value == NULL) return -ENOMEM;
  int result = 0;
  size = fgetxattr(from, name, value, (size_t)size);
  if (size < 0) {
    result = errno == ENODATA ? 0 : -errno;
  } else {
    *call = "fsetxattr";
    if (fsetxattr(to, name, value, (size_t)size, 0) != 0) result = -errno;
  }
  free(value);
  return result;
}

static int copy_all_attributes(int from, int to, const char **call) {
  *call = "flistxattr";
  ssize_t size = flistxattr(from, NULL, 0);
  // A file system without attributes has none to keep.
  if (size < 0) return errno == EOPNOTSUPP ? 0 : -errno;
  if (size == 0) return 0;
  char *names = malloc((size_t)size);
  if (names == NULL) return -ENOMEM;
  int result = 0;
  size = flistxattr(from, names, (size_t)size);
  if (size < 0) result = -errno;
  for (ssize_t at = 0; result == 0 && at < size; at += (ssize_t)strlen(names + at) + 1) {
    result = copy_attribute(from, to, names + at, call);
  }
  free(names);
  return result;
}

int rawmill_copy_attributes(int from, int to, const char **call) {
  struct stat source;
  struct stat target;
  *call = "fstat";
  if (fstat(from, &source) != 0 || fstat(to, &target) != 0) return -errno;
  // Only where it differs: whoever is not root may not give a file away, and need not.
  if (source.st_uid != target.st_uid || source.st_gid != target.st_gid) {
    *call = "fchown";
    if (fchown(to, source.st_uid, source.st_gid) != 0) return -errno;
  }
  int result = copy_all_attributes(from, to, call);
  if (result != 0) return result;
  *call = "fchmod";
  if (fchmod(to, source.st_mode & 07777) != 0) return -errno;
  *call = "futimens";
  struct timespec times[2] = {source.st_atim, source.st_mtim};
  return futimens(to, times) != 0 ? -errno : 0;
}

int rawmill_set_close_on_exec(int descriptor, int on) {
  return fcntl(descriptor, F_SETFD, on ? FD_CLOEXEC : 0) != 0 ? -errno : 0;
}

const char *rawmill_next_entry(void *directory, unsigned char *type, int *error) {
  errno = 0;
  struct dirent *entry = readdir((DIR *)directory);
  *error = entry == NULL ? errno : 0;
  if (entry == NULL) return NULL;
  *type = entry->d_type;
  return entry->d_name;
}

const char *rawmill_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text != NULL ? text : "Unknown error";
}

const char *rawmill_error_name(int error) {
  const char *name = strerrorname_np(error);
  return name != NULL ? name : "errno out of range";
}

int64_t rawmill_peak_resident_bytes(void) {
  // VmHWM and not ru_maxrss: the latter is inherited through exec, so that a small child of a big
  // parent would report the parent's peak.
  FILE *file = fopen("/proc/self/status", "re");
  if (file == NULL) return 0;
  char line[256];
  long long kilobytes = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1) break;
  }
  fclose(file);
  return kilobytes * 1024;
}

int rawmill_affinity_count(void) {
  // A machine with more CPUs than the fixed set holds makes the call fail with EINVAL.
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (set == NULL) return -ENOMEM;
    size_t size = CPU_ALLOC_SIZE(cpus);
    int failed = sched_getaffinity(0, size, set) != 0 ? errno : 0;
    int count = failed ? 0 : CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (!failed) return count;
    if (failed != EINVAL) return -failed;
  }
  return -EINVAL;
}

static int64_t clock_nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t rawmill_process_cpu_nanoseconds(void) {
  return clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t rawmill_monotonic_nanoseconds(void) { return clock_nanoseconds(CLOCK_MONOTONIC); }

int64_t rawmill_realtime_nanoseconds(void) { return clock_nanoseconds(CLOCK_REALTIME); }

int rawmill_memory_file(const char *name) {
  int descriptor = memfd_create(name, MFD_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}
