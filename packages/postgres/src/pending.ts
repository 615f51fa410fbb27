/** Selects the transactions in progress that a snapshot does not see. */

/**
 * Subquery over `store` for the numbers of the transactions in progress in this snapshot, in ascending order. It omits
 * running transactions that hold no lock on our tables: they belong to other programs and would delay every client that
 * waits for a position. Our own transactions lock one of two tables before they get a number.
 *
 * An ending transaction releases its table locks before the lock on its own number. A transaction without table locks is
 * therefore omitted only if it is still running after the locks were read.
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
