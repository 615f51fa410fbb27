/** A PostgreSQL for tests: a real server, with its data in a folder of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** A server that runs until it is ended. */
export interface PostgresServer {
  /** The URL of its database, without a password: on a socket. */
  readonly url: string
  /** Kills it, with no chance to end in order. */
  kill(): Promise<void>
  /** Starts it again. */
  start(): Promise<void>
  /** Ends it at once, and removes its folder. */
  end(): Promise<void>
}

/** The server does not run as root; where the test does, it is nobody. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The path of a program of PostgreSQL; undefined where the machine lacks it, and an error under `CI=true`. */
export function postgresProgram(name: string): string | undefined {
  const found = globSync(`/usr/lib/postgresql/*/bin/${name}`).find(existsSync)
  if (found === undefined && process.env['CI'] === 'true') throw new Error(`${name} is not installed`)
  return found
}

/**
 * Starts a server; undefined where there is none on this machine. `isDurable`: what it has committed outlives the machine,
 * which takes time.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresServer | undefined> {
  const initdb = postgresProgram('initdb')
  const postgres = postgresProgram('postgres')
  if (initdb === undefined || postgres === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'pg-'))
  if (OWNER.uid !== undefined) chownSync(folder, OWNER.uid, OWNER.gid)
  const options = ['-U', 'world', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  execFileSync(initdb, ['-D', join(folder, 'data'), ...options], { ...OWNER, stdio: 'ignore', cwd: folder })
  const fsync = ['-c', `fsync=${isDurable ? 'on' : 'off'}`]
  const settings = ['-c', 'listen_addresses=', ...fsync, '-c', 'max_connections=200', '-k', folder]
  const url = `postgres://world@${encodeURIComponent(folder)}/postgres`
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(postgres, ['-D', join(folder, 'data'), ...settings], {
      ...OWNER,
      stdio: 'ignore',
      cwd: folder,
    })
    await ready(server, url)
  }
  const signalled = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  await start()
  return {
    url,
    start,
    kill: () => signalled('SIGKILL'),
    async end() {
      await signalled('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until a server answers. */
async function ready(server: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server has ended')
    try {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.end()
      return
    } catch {
      await setTimeout(20)
    }
  }
}
