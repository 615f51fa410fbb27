/** A primary with a synchronous standby: real servers, which tests kill and promote. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import {
  type PostgresServer,
  postgresProgram,
  runAsOwner,
  serverFolder,
  serverIn,
  startPostgres,
} from './server.fixture.ts'

/** Two servers of one database. */
export interface PostgresCluster {
  /** The URL of its database, which names both servers. */
  readonly url: string
  /** The server that is, or was last, the primary. */
  readonly primary: PostgresServer
  /** The other server. */
  readonly standby: PostgresServer
  /** Promotes the standby, whatever the primary does; the new primary has no standby. Resolves when it takes writes. */
  promote(): Promise<void>
  /** Kills the standby, and makes commits asynchronous: later writes never reach it. */
  forsakeStandby(): Promise<void>
  /** Makes the stopped former primary a standby again. Resolves when it is synchronous. */
  rejoin(): Promise<void>
  /** Ends both, and removes their folders. */
  end(): Promise<void>
}

const SETTINGS = [
  'fsync=off',
  'synchronous_commit=on',
  'wal_keep_size=64MB',
  'wal_retrieve_retry_interval=100ms',
]

const WAIT_FOR_NONE = ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()']

/** Starts both; returns undefined if PostgreSQL is not installed. */
export async function startCluster(): Promise<PostgresCluster | undefined> {
  const first = await startPostgres({ settings: SETTINGS })
  if (first === undefined) return undefined
  const second = serverIn(await serverFolder(), SETTINGS)
  let [primary, standby] = [first, second]
  const rejoin = async () => {
    await makeStandby(standby, primary)
    await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()')
    const isWaitedFor = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`
    while ((await ask(primary, isWaitedFor)).length === 0) await pause(10)
  }
  await rejoin()
  const hosts = [first, second].map(({ folder }) => encodeURIComponent(folder))
  return {
    url: `postgres://world@${hosts}/postgres`,
    get primary() {
      return primary
    },
    get standby() {
      return standby
    },
    async promote() {
      // As a failover does: commits of a primary without a standby wait for none.
      await ask(standby, ...WAIT_FOR_NONE, 'SELECT pg_promote()')
      ;[primary, standby] = [standby, primary]
    },
    async forsakeStandby() {
      await standby.kill()
      await ask(primary, ...WAIT_FOR_NONE)
    },
    rejoin,
    async end() {
      await Promise.all([first.end(), second.end()])
    },
  }
}

/** Copies a primary to a stopped server, and starts that as its standby. */
async function makeStandby(server: PostgresServer, primary: PostgresServer): Promise<void> {
  const data = join(server.folder, 'data')
  await rm(data, { recursive: true, force: true })
  const from = `host=${primary.folder} user=world dbname=postgres`
  const options = ['-X', 'stream', '-c', 'fast', '--no-sync', '-R']
  await runAsOwner(
    postgresProgram('pg_basebackup') ?? '',
    ['-D', data, '-d', from, ...options],
    server.folder,
  )
  await server.start()
}

/** Returns the rows of the last of these statements. */
async function ask({ url }: PostgresServer, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
