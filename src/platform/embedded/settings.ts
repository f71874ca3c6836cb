/**
 * Small enough to share a laptop with the rest of the platform, and safe: a commit is on the disk when it is
 * answered. Given on the command line, so that a new release's settings reach clusters made by an older one.
 */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "32MB",
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  dynamic_shared_memory_type: "posix",
  // No pool of I/O workers, no parallel queries, no replication: each would be idle processes here.
  io_method: "sync",
  max_worker_processes: "2",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_logical_replication_workers: "0",
  max_wal_senders: "0",
  wal_level: "minimal",
  min_wal_size: "64MB",
  max_wal_size: "512MB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  // Errors of single statements are their clients' to report; the server's log would quote the statements.
  log_min_messages: "log",
  log_checkpoints: "off",
};

/** The settings as arguments of the server. */
export function settingArguments(): string[] {
  return Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
