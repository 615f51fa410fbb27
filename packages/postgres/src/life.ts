/** Compares server timelines to tell a promoted standby from a former primary that has come back. */
import type { Client } from 'pg'

/** Row lock timeout, in milliseconds. */
const LOCK_MS = 2_000

/** Silence after which the server asks every second whether the node is still there, in seconds. See `IDLE_WRITE_MS`. */
const SILENT_S = 2

/** Database system and timeline of a primary. Each promotion of a standby begins a timeline with a higher number. */
export interface Life {
  /** System identifier, which a primary and its standbys share. */
  readonly system: string
  /** PostgreSQL timeline number. */
  readonly timeline: number
}

interface Answer {
  readonly is_standby: boolean
  readonly is_read_only: boolean
  readonly system: string
  readonly timeline: string | null
}

/** Connects, configures the session and returns the timeline. Rejects if the server is not a primary. */
export async function connected(client: Client, schema: string): Promise<Life> {
  await client.connect()
  // A statement timeout would end a commit's wait for a standby, and the commit would appear to have succeeded.
  const results: unknown = await client.query(
    `SET jit = off; SET lock_timeout = ${LOCK_MS}; SET statement_timeout = 0; SET search_path = ${schema};
     SET tcp_keepalives_idle = ${SILENT_S}; SET tcp_keepalives_interval = 1;
     SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only,
       (pg_control_system()).system_identifier::text AS system,
       CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`,
  )
  const { rows } = (results as { rows: Answer[] }[]).at(-1) ?? { rows: [] }
  const [{ is_standby: isStandby, is_read_only: isReadOnly, system, timeline }] = rows as [Answer]
  if (isStandby || timeline === null) throw new Error('it is a standby')
  if (isReadOnly) throw new Error('it takes no writes')
  return { system, timeline: Number.parseInt(timeline, 16) }
}

/** Reports whether the timeline of `life` is older than that of `seen` in the same system. */
export function isFormer(life: Life, seen: Life | undefined): boolean {
  return seen !== undefined && life.system === seen.system && life.timeline < seen.timeline
}

/** Returns the reason for refusing a server on a former timeline. */
export function formerPrimary({ timeline }: Life, seen: Life | undefined): string {
  return (
    `it is a former primary, of timeline ${timeline}, and timeline ${seen?.timeline} has begun: nothing is written to it. ` +
    'Where it was restored on purpose, remove the replicas of the nodes'
  )
}
