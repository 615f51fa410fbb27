/** A PostgreSQL server for tests, with its data in a temporary folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** Maximum attempts to start a server that exits at once. */
const ATTEMPTS = 30

/** A server that runs until it is ended. */
export interface PostgresServer {
  /** The URL of its database, without a password: on a socket. */
  readonly url: string
  /** Its folder, which holds its socket. */
  readonly folder: string
  /** Kills it without a clean shutdown. */
  kill(): Promise<void>
  /** Makes it hang: it accepts connections without answering, until it is killed. */
  freeze(): void
  /** Starts it again. */
  start(): Promise<void>
  /** Ends it at once, and removes its folder. */
  end(): Promise<void>
}

/** The server refuses to run as root; if the test does, it runs as nobody. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Returns the path of a PostgreSQL program; undefined if it is not installed. Throws under `CI=true`. */
export function postgresProgram(name: string): string | undefined {
  const found = globSync(`/usr/lib/postgresql/*/bin/${name}`).find(existsSync)
  if (found === undefined && process.env['CI'] === 'true') throw new Error(`${name} is not installed`)
  return found
}

/**
 * Starts a server; returns undefined if PostgreSQL is not installed. `isDurable`: commits survive a crash of the machine,
 * which takes time. `port`: to listen on besides the socket, on all addresses of this machine. `settings`: further ones, as
 * `NAME=VALUE`.
 */
export async function startPostgres({
  isDurable = false,
  port = undefined as number | undefined,
  settings = [] as readonly string[],
} = {}): Promise<PostgresServer | undefined> {
  const initdb = postgresProgram('initdb')
  if (initdb === undefined) return undefined
  const folder = await serverFolder()
  const options = ['-U', 'world', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  await runAsOwner(initdb, ['-D', join(folder, 'data'), ...options], folder)
  const server = serverIn(folder, [`fsync=${isDurable ? 'on' : 'off'}`, ...settings], port)
  await server.start()
  return server
}

/** Creates a folder for a server, which may write there. */
export async function serverFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pg-'))
  if (OWNER.uid !== undefined) chownSync(folder, OWNER.uid, OWNER.gid)
  return folder
}

/** Runs a PostgreSQL program to its end. Rejects if it fails. */
export async function runAsOwner(program: string, args: readonly string[], folder: string): Promise<void> {
  await promisify(execFile)(program, args, { ...OWNER, cwd: folder })
}

/** Returns the stopped server over the data in a folder, with a socket there. */
export function serverIn(folder: string, settings: readonly string[], port?: number): PostgresServer {
  const postgres = postgresProgram('postgres') ?? 'postgres'
  const listening = port === undefined ? ['listen_addresses='] : ['listen_addresses=0.0.0.0', `port=${port}`]
  const all = [...listening, 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting])
  const at = encodeURIComponent(folder) + (port === undefined ? '' : `:${port}`)
  const url = `postgres://world@${at}/postgres`
  let server: ChildProcess | undefined
  const isOver = () => !server || server.exitCode !== null || server.signalCode !== null
  const ended = async (end: (pid: number) => void) => {
    if (!server || isOver()) return
    const over = once(server, 'exit')
    end(server.pid ?? 0)
    await over
  }
  return {
    url,
    folder,
    async start() {
      // After a kill, a freshly forked process may hold the shared memory for a moment.
      for (let attempt = 1; ; attempt++) {
        server = spawn(postgres, ['-D', join(folder, 'data'), ...all, '-k', folder], {
          ...OWNER,
          stdio: 'ignore',
          cwd: folder,
        })
        if (await isReady(server, url)) return
        if (attempt === ATTEMPTS) throw new Error('the server does not start')
        await setTimeout(100)
      }
    },
    freeze: () => signalAll(server?.pid ?? 0, 'SIGSTOP'),
    // As if the machine failed: kills its child processes too, before one of them can answer.
    kill: () => ended((pid) => signalAll(pid, 'SIGKILL')),
    async end() {
      await ended((pid) => process.kill(pid, 'SIGQUIT'))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function signalAll(pid: number, signal: NodeJS.Signals): void {
  for (const one of [pid, ...childrenOf(pid)]) process.kill(one, signal)
}

function childrenOf(pid: number): number[] {
  const tasks = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return tasks.split(' ').filter(Boolean).map(Number)
}

/** Waits until a server answers; returns false if it exits. */
async function isReady(server: ChildProcess, url: string): Promise<boolean> {
  for (;;) {
    if (server.exitCode !== null) return false
    try {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.end()
      return true
    } catch {
      await setTimeout(20)
    }
  }
}
