// Linux calls that Swift cannot import: variadic functions, macros, control messages, names that a
// struct and a function share, and everything that has to happen between fork and exec.
//
// Every function that can fail returns 0 or a count on success and a negated errno on failure, so
// that no caller reads `errno` after another call might have changed it.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: Files

/// What a file is, without the differences of `struct stat` between architectures.
struct rawmill_status {
  uint64_t device;
  uint64_t inode;
  int64_t size;
  int64_t mtime_seconds;
  int64_t mtime_nanoseconds;
  uint64_t link_count;
  uint32_t mode;
  uint32_t owner;
  uint32_t group;
};

int rawmill_open(const char *path, int flags, unsigned mode);
int rawmill_fstat(int descriptor, struct rawmill_status *status);
int rawmill_stat(const char *path, int follow_links, struct rawmill_status *status);
/// RENAME_NOREPLACE alone: -EINVAL or -ENOSYS where the file system or the kernel lacks it.
int rawmill_rename_noreplace(const char *from, const char *to);
int rawmill_rename(const char *from, const char *to);
/// `operation` is LOCK_SH, LOCK_EX or LOCK_UN, with or without LOCK_NB.
int rawmill_flock(int descriptor, int operation);
/// Gives an open file the owner, the extended attributes (access lists among them), the mode and the
/// times of another, in this order. On failure `*call` names the call that failed.
int rawmill_copy_attributes(int from, int to, const char **call);
int rawmill_set_close_on_exec(int descriptor, int on);
/// The next name of a `DIR *` with its `d_type`; NULL with `*error` 0 at the end.
const char *rawmill_next_entry(void *directory, unsigned char *type, int *error);
/// "Disk quota exceeded", in English whatever the locale; never NULL.
const char *rawmill_error_text(int error);
/// "EDQUOT"; never NULL.
const char *rawmill_error_name(int error);

/// An anonymous file in memory, closed on exec.
int rawmill_memory_file(const char *name);

// MARK: Sockets

/// Both ends of a stream socket pair, closed on exec.
int rawmill_socket_pair(int ends[2]);
/// The ends of a pipe, to read and to write, closed on exec; neither blocks.
int rawmill_pipe_nonblocking(int ends[2]);
/// Ends both directions of a socket.
int rawmill_shutdown(int socket);
/// Sends up to `count` bytes and, with the first of them, descriptors; never raises SIGPIPE.
ssize_t rawmill_send(int socket, const void *bytes, size_t count, const int *descriptors,
                     int descriptor_count);
/// Receives up to `count` bytes and the descriptors that came with them, all closed on exec.
/// `*descriptor_count` is the capacity on entry; descriptors over it are closed and the call fails
/// with -EMSGSIZE, never leaking one.
ssize_t rawmill_receive(int socket, void *bytes, size_t count, int *descriptors,
                        int *descriptor_count);
/// Waits until the descriptor can be read or has hung up: 1, 0 at the timeout (-1: none).
int rawmill_wait_readable(int descriptor, int timeout_milliseconds);

// MARK: Processes

/// How a program is started.
struct rawmill_spawn {
  const char *path;
  char *const *arguments;
  char *const *environment;
  /// Working directory, or NULL for the parent's.
  const char *directory;
  /// descriptors[i] becomes descriptor i of the program; everything else is closed. -1: /dev/null.
  const int *descriptors;
  int descriptor_count;
  /// The kernel sends SIGKILL to the program when this process ends, however it ends.
  int dies_with_parent;
  /// A process group of its own, so that a terminal's Ctrl-C reaches the parent alone.
  int own_group;
  /// Bytes; 0 leaves the limit as it is.
  uint64_t address_space_limit;
  uint64_t data_limit;
  uint64_t file_size_limit;
  /// No core dumps: they would hold pictures and fill disks.
  int no_core;
  /// User and group to become; -1 leaves them.
  int64_t user;
  int64_t group;
};

/// Starts a program: 0 and its process id, or the negated errno of the step that failed, exec
/// included.
///
/// The kernel binds PDEATHSIG to the *thread* that forks, not to the process: a program started
/// from a pool thread would be killed when the pool shrinks. All programs are therefore started by
/// one thread that is never ended.
int rawmill_spawn_process(const struct rawmill_spawn *specification, pid_t *process);

/// What an ended process leaves.
struct rawmill_exit {
  int exited;
  /// Exit code if `exited`, else the signal.
  int value;
  int64_t user_microseconds;
  int64_t system_microseconds;
  int64_t peak_bytes;
};

/// Waits for a child: 1 when it has ended, 0 if it has not and `block` is 0.
int rawmill_wait_process(pid_t process, int block, struct rawmill_exit *ended);
/// Waits until a child has ended, without reaping it: 1, 0 at the timeout, or the negated errno.
int rawmill_wait_ended(pid_t process, int timeout_milliseconds);
/// The same by looking again and again, where the kernel has no handle of a process to wait for.
int rawmill_poll_ended(pid_t process, int timeout_milliseconds);
int rawmill_kill(pid_t process, int signal);
/// The environment of this process, NULL-terminated.
char **rawmill_environment(void);
/// Has the kernel kill this process when the thread that started it ends; fails if the parent is
/// not `parent` any more.
int rawmill_die_with_parent(pid_t parent);
/// The largest resident size of this process so far, in bytes.
int64_t rawmill_peak_resident_bytes(void);
/// CPUs that this process may run on.
int rawmill_affinity_count(void);
/// CPU time of the whole process in nanoseconds.
int64_t rawmill_process_cpu_nanoseconds(void);
/// CLOCK_MONOTONIC in nanoseconds.
int64_t rawmill_monotonic_nanoseconds(void);
/// CLOCK_REALTIME in nanoseconds.
int64_t rawmill_realtime_nanoseconds(void);

// MARK: Terminals

/// Columns of the terminal behind a descriptor, 0 where it is none.
int rawmill_terminal_columns(int descriptor);

/// Rows of the terminal behind a descriptor; 0 where there is none.
int rawmill_terminal_rows(int descriptor);

// MARK: Signals

/// Has a signal add one to an event counter from now on, instead of its default action: the
/// counter's descriptor, to be read as 8 bytes, or a negated errno. All signals share one counter;
/// interrupted system calls are restarted.
int rawmill_count_signal(int number);
/// Reads the counter and resets it: how many signals came, waiting for the first; 0 on failure.
uint64_t rawmill_read_signal_count(int descriptor);
