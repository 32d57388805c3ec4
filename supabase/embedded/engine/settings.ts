/**
 * What the site's Postgres runs with: no network, small memory (one small site), full
 * durability, and a log that never holds a statement, a value or a failing row.
 */
export const settings: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "60",
  shared_buffers: "24MB",
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  effective_cache_size: "128MB",
  jit: "off",
  huge_pages: "off",
  // The default, three worker processes for reading ahead, suits bigger disks and tables.
  io_method: "sync",
  max_worker_processes: "2",
  max_parallel_workers: "0",
  max_logical_replication_workers: "0",
  autovacuum_max_workers: "1",
  autovacuum_worker_slots: "2",
  wal_level: "logical",
  max_wal_senders: "4",
  max_replication_slots: "4",
  // A forgotten replication slot must not fill the disk.
  max_slot_wal_keep_size: "512MB",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  wal_compression: "on",
  fsync: "on",
  synchronous_commit: "on",
  password_encryption: "scram-sha-256",
  timezone: "UTC",
  log_timezone: "UTC",
  log_destination: "stderr",
  log_min_messages: "fatal",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  idle_in_transaction_session_timeout: "60s",
};
