/** Which transactions a snapshot does not see yet. */

/**
 * A subquery over `store`: the numbers of the transactions that were under way in this snapshot, ascending. Those of other
 * programs, in which the database has no part of ours, are left out where they can be seen still running: they would hold up
 * whoever waits for a position. Whoever changes entities locks one of two tables before it has a number.
 *
 * A transaction that ends gives up the locks of tables before the one of its own number. So it may seem to run and to hold
 * nothing, and is left out only if it still runs once its locks have been looked at.
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
