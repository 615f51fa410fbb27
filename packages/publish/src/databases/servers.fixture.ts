/** Real database servers for tests, each with its data in a separate folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'

/** A server that runs until the test ends. */
export interface Server {
  /** URL of its database, without a password. */
  readonly url: string
}

/** Returns the path of a server program, or undefined if it is missing. A missing program fails the test if `CI=true`. */
function program(
  context: TestContext,
  server: string,
  name: string,
  ...places: string[]
): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, name))
  const found = [...places.flatMap((place) => globSync(join(place, name))), ...paths].find(existsSync)
  if (found !== undefined) return found
  const reason = `not run: this machine has no ${server}`
  if (process.env['CI'] === 'true') throw new Error(reason)
  context.skip(reason)
  return undefined
}

/** User to run servers as. Both servers refuse to run as root, so a test that runs as root uses `nobody`. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'db-'))
  if (OWNER.uid !== undefined) chownSync(folder, OWNER.uid, OWNER.gid)
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function stopAfter(context: TestContext, server: ChildProcess): void {
  context.after(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  })
}

/** Retries `attempt` until it succeeds. */
async function ready(server: ChildProcess, attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server has ended')
    try {
      await attempt()
      return
    } catch {
      await setTimeout(20)
    }
  }
}

/** Starts a PostgreSQL server on a socket in its folder. Returns undefined if the machine has no PostgreSQL. */
export async function startPostgres(context: TestContext, sql: string): Promise<Server | undefined> {
  const bin = '/usr/lib/postgresql/*/bin'
  const initdb = program(context, 'PostgreSQL', 'initdb', bin)
  const postgres = program(context, 'PostgreSQL', 'postgres', bin)
  if (initdb === undefined || postgres === undefined) return undefined
  const folder = await folderFor(context)
  const options = ['-U', 'world', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  execFileSync(initdb, ['-D', join(folder, 'data'), ...options], { ...OWNER, stdio: 'ignore', cwd: folder })
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', folder]
  const server = spawn(postgres, ['-D', join(folder, 'data'), ...settings], {
    ...OWNER,
    stdio: 'ignore',
    cwd: folder,
  })
  stopAfter(context, server)
  const url = `postgres://world@${encodeURIComponent(folder)}/postgres`
  const { Client } = await import('pg')
  await ready(server, async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.end()
  })
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
  return { url }
}

/** Starts a MariaDB server on loopback. Returns undefined if the machine has no MariaDB. */
export async function startMariadb(context: TestContext, sql: string): Promise<Server | undefined> {
  const install = program(context, 'MariaDB', 'mariadb-install-db')
  const mariadbd = program(context, 'MariaDB', 'mariadbd', '/usr/sbin')
  if (install === undefined || mariadbd === undefined) return undefined
  const folder = await folderFor(context)
  const data = `--datadir=${join(folder, 'data')}`
  const plain = ['--no-defaults', data, '--skip-test-db', '--auth-root-authentication-method=normal']
  execFileSync(install, plain, { ...OWNER, stdio: 'ignore', cwd: folder })
  const socket = join(folder, 's')
  const settings = [
    `--socket=${socket}`,
    '--innodb-buffer-pool-size=16M',
    '--innodb-flush-log-at-trx-commit=0',
  ]
  const port = await freePort()
  const address = [`--port=${port}`, '--bind-address=127.0.0.1']
  const server = spawn(mariadbd, ['--no-defaults', data, ...settings, ...address], {
    ...OWNER,
    stdio: 'ignore',
    cwd: folder,
  })
  stopAfter(context, server)
  const { createConnection } = await import('mysql2/promise')
  const how = { socketPath: socket, user: 'root', multipleStatements: true }
  await ready(server, async () => (await createConnection(how)).end())
  const connection = await createConnection(how)
  await connection.query(`CREATE DATABASE shop; USE shop; ${sql}`)
  await connection.end()
  return { url: `mysql://root@127.0.0.1:${port}/shop` }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
