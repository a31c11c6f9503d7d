"""The tables of the ledger, in SQL that SQLite and PostgreSQL both understand.

References stand apart from their shards: counting reads all shards, and must not read those.
"""

__all__ = ["DONE", "LEASED", "TABLES", "WAITING"]

WAITING, LEASED, DONE = 0, 1, 2

TABLES = (
    """CREATE TABLE IF NOT EXISTS batch_job (
      id TEXT PRIMARY KEY, digest TEXT NOT NULL, told {blob} NOT NULL, created {real} NOT NULL,
      listed INTEGER NOT NULL DEFAULT 0, stopped TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE IF NOT EXISTS batch_input (
      job TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, identity TEXT NOT NULL, told {blob} NOT NULL,
      documents BIGINT NOT NULL DEFAULT 0, damaged BIGINT NOT NULL DEFAULT 0, listed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (job, number), UNIQUE (job, name))""",
    """CREATE TABLE IF NOT EXISTS batch_shard (
      job TEXT NOT NULL, id TEXT NOT NULL, number BIGINT NOT NULL, input INTEGER NOT NULL, documents INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0, fence INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
      owner TEXT NOT NULL DEFAULT '', lease_until {real} NOT NULL DEFAULT 0, done_at {real} NOT NULL DEFAULT 0,
      ok INTEGER NOT NULL DEFAULT 0, suspicious INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
      quarantined INTEGER NOT NULL DEFAULT 0, rows_made BIGINT NOT NULL DEFAULT 0, bytes BIGINT NOT NULL DEFAULT 0,
      seconds {real} NOT NULL DEFAULT 0, cpu_seconds {real} NOT NULL DEFAULT 0, told {blob},
      PRIMARY KEY (job, id))""",
    "CREATE INDEX IF NOT EXISTS batch_shard_state ON batch_shard (job, state, number)",
    """CREATE TABLE IF NOT EXISTS batch_references (
      job TEXT NOT NULL, shard TEXT NOT NULL, packed {blob} NOT NULL, PRIMARY KEY (job, shard))""",
    """CREATE TABLE IF NOT EXISTS batch_death (
      job TEXT NOT NULL, shard TEXT NOT NULL, document TEXT NOT NULL, cause TEXT NOT NULL, alone INTEGER NOT NULL,
      at {real} NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS batch_death_shard ON batch_death (job, shard)",
    """CREATE TABLE IF NOT EXISTS batch_event (
      job TEXT NOT NULL, at {real} NOT NULL, what TEXT NOT NULL, shard TEXT NOT NULL, owner TEXT NOT NULL,
      text TEXT NOT NULL)""",
)
