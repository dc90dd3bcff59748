internal import FileSystem
internal import Glibc

/// Settings of a small private server: one host, some tens of sessions, results that must survive a
/// crash of the machine.
private let settings = """

  # rawmill
  listen_addresses = ''
  unix_socket_permissions = 0700
  cluster_name = 'rawmill'
  max_connections = 200
  shared_buffers = '128MB'
  wal_level = minimal
  max_wal_senders = 0
  wal_compression = lz4
  max_wal_size = '1GB'
  checkpoint_timeout = '15min'
  autovacuum_naptime = '10s'
  jit = off
  log_timezone = 'UTC'
  timezone = 'UTC'
  update_process_title = off

  """

extension EmbeddedPostgres {
  /// Makes the cluster under another name, and gives it its name when it is complete.
  func create(_ programs: PostgresPrograms, _ user: ServerUser) throws(EmbeddedPostgresError) {
    // What a creation that was killed left behind; the lock is ours.
    try removeNewData()
    do throws(EmbeddedPostgresError) {
      try initialize(programs, user)
      try wrappingSystem { () throws(SystemError) in
        try configure()
        try folder.newData.rename(replacing: folder.data)
        try folder.server.synchronizeDirectory()
      }
    } catch {
      try removeNewData()
      if case .system(let cause) = error,
        cause.errorNumber == ENOSPC || cause.errorNumber == EDQUOT
      {
        throw .diskFull(folder: folder.root)
      }
      throw error
    }
  }

  private func initialize(
    _ programs: PostgresPrograms,
    _ user: ServerUser
  ) throws(EmbeddedPostgresError) {
    let output = try ProgramOutput.run(
      programs.program("initdb"),
      arguments(
        ["-D"],
        folder.newData,
        [
          "--username", EmbeddedPostgres.userName, "--encoding", "UTF8", "--locale", "C",
          "--data-checksums", "--auth-local", "trust", "--auth-host", "reject",
        ]
      ),
      as: user
    )
    guard !output.isSuccess else { return }
    // English because of LC_ALL=C; ENOSPC and EDQUOT in the words of the C library.
    let isFull =
      output.text.contains("No space left on device")
      || output.text.contains("Disk quota exceeded")
    throw isFull ? .diskFull(folder: folder.root) : output.failure()
  }

  private func configure() throws(SystemError) {
    let path = folder.newData.appending("postgresql.conf")
    let file = try FileDescriptor.open(path, .readWriteCreating(permissions: 0o600))
    try file.write(Array(settings.utf8), at: try file.status().size)
    try file.synchronize()
  }

  private func removeNewData() throws(EmbeddedPostgresError) {
    guard try exists(folder.newData) else { return }
    try wrappingSystem { () throws(SystemError) in try folder.newData.removeTree() }
  }
}
