/** Runs a real PostgreSQL primary and a synchronous standby, for tests that kill and promote them. */
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

/** Primary and standby of one database. */
export interface PostgresCluster {
  /** URL of the database, naming both servers. */
  readonly url: string
  /** Current or most recent primary. */
  readonly primary: PostgresServer
  /** The other server. */
  readonly standby: PostgresServer
  /** Promotes the standby, even if the primary still runs, and waits until it accepts writes. It has no standby itself. */
  promote(): Promise<void>
  /** Kills the standby and makes commits asynchronous, so that the standby never receives later writes. */
  forsakeStandby(): Promise<void>
  /** Turns the stopped former primary into a standby. Resolves when replication is synchronous. */
  rejoin(): Promise<void>
  /** Stops both servers and removes their folders. */
  end(): Promise<void>
}

const SETTINGS = [
  'fsync=off',
  'synchronous_commit=on',
  'wal_keep_size=64MB',
  'wal_retrieve_retry_interval=100ms',
]

const WAIT_FOR_NONE = ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()']

/** Starts both servers. Returns undefined if PostgreSQL is not installed. */
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
      // As in a real failover, the new primary has no standby, so its commits must not wait for one.
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

/** Copies the primary's data to a stopped server and starts that server as a standby. */
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

/** Runs the statements and returns the rows of the last statement. */
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
