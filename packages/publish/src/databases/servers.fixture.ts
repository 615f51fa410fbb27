/** Database servers for tests: real ones, each with its data in a folder of its own. */
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
  /** The URL of its database, without a password. */
  readonly url: string
}

/** The program of this name; undefined if the machine lacks it, and a failure under `CI=true`. */
function program(context: TestContext, name: string, ...places: string[]): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, name))
  const found = [...places.flatMap((place) => globSync(join(place, name))), ...paths].find(existsSync)
  if (found !== undefined) return found
  if (process.env['CI'] === 'true') throw new Error(`${name} is not installed`)
  context.skip(`not run: this machine has no ${name}`)
  return undefined
}

/** Neither server runs as root: if the test does, they run as the user nobody. */
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

/** Waits until `attempt` does not fail. */
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

/** A PostgreSQL that answers on a socket in its folder; undefined if there is none on this machine. */
export async function startPostgres(context: TestContext, sql: string): Promise<Server | undefined> {
  const bin = '/usr/lib/postgresql/*/bin'
  const initdb = program(context, 'initdb', bin)
  const postgres = program(context, 'postgres', bin)
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

/** A MariaDB that answers on loopback; undefined if there is none on this machine. */
export async function startMariadb(context: TestContext, sql: string): Promise<Server | undefined> {
  const install = program(context, 'mariadb-install-db')
  const mariadbd = program(context, 'mariadbd', '/usr/sbin')
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
