/** Transactions in progress that a snapshot does not see yet. */

/**
 * A subquery over `store`: the numbers of the transactions in progress in this snapshot, ascending. Transactions of other
 * programs, which do not touch our tables, are left out if they can be seen still running: they would hold up everyone who
 * waits for a position. A transaction of ours locks one of two tables before it gets a number.
 *
 * A transaction that ends releases its table locks before the lock of its own number. So it may seem to run without locks,
 * and is left out only if it still runs after its locks were read.
 */
export const PENDING = `WITH locks AS MATERIALIZED (
    SELECT pid, mode, relation, transactionid::text::bigint AS transaction FROM pg_locks WHERE granted
  )
  SELECT coalesce(array_agg((base + x::text::bigint)::float8 ORDER BY x), '{}')
  FROM pg_snapshot_xip(pg_current_snapshot()) AS x
  WHERE CASE
    WHEN EXISTS (
      SELECT 1 FROM locks own WHERE own.mode = 'ExclusiveLock' AND own.transaction = x::text::bigint % 4294967296
        AND NOT EXISTS (
          SELECT 1 FROM locks held WHERE held.pid = own.pid AND held.relation IN ('types'::regclass, 'rooms'::regclass)
        )
    ) THEN pg_xact_status(x) IS DISTINCT FROM 'in progress'
    ELSE true
  END`
