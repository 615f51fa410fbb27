/** Runs a PostgreSQL server for tests, with its data in a temporary folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** Maximum number of attempts to start a server that exits immediately. */
const ATTEMPTS = 30

/** PostgreSQL server that a test controls. */
export interface PostgresServer {
  /** URL of the database over a Unix socket, without a password. */
  readonly url: string
  /** Folder that contains its data and socket. */
  readonly folder: string
  /** Kills the server without a clean shutdown. */
  kill(): Promise<void>
  /** Makes the server hang: it accepts connections but does not respond until it is killed. */
  freeze(): void
  /** Starts the server and waits until it responds. */
  start(): Promise<void>
  /** Stops the server immediately and removes its folder. */
  end(): Promise<void>
}

/** User to run the server as: PostgreSQL refuses to run as root, so a test that runs as root uses `nobody`. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Reason to skip a test, shown in the test summary. */
export const NO_POSTGRES = 'not run: this machine has no PostgreSQL'

/** Returns the path of a PostgreSQL program, or undefined if it is not installed. Throws instead under `CI=true`. */
export function postgresProgram(name: string): string | undefined {
  const found = globSync(`/usr/lib/postgresql/*/bin/${name}`).find(existsSync)
  if (found === undefined && process.env['CI'] === 'true') throw new Error(`${name} is not installed`)
  return found
}

/**
 * Starts a server. Returns undefined if PostgreSQL is not installed. If `isDurable`, commits survive a machine crash but are
 * slower. With a `port`, the server also listens on that TCP port on all addresses of this machine. `settings` are
 * additional server settings of the form `NAME=VALUE`.
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

/** Returns a TCP port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Creates a temporary folder that a server can write to. */
export async function serverFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pg-'))
  if (OWNER.uid !== undefined) chownSync(folder, OWNER.uid, OWNER.gid)
  return folder
}

/** Runs a program as the server's user. Rejects if it fails. */
export async function runAsOwner(program: string, args: readonly string[], folder: string): Promise<void> {
  await promisify(execFile)(program, args, { ...OWNER, cwd: folder })
}

/** Returns a stopped server that keeps its data and its socket in `folder`. */
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
    // Simulates a machine failure: the child processes are killed too, before one of them can respond.
    kill: () => ended((pid) => signalAll(pid, 'SIGKILL')),
    async end() {
      await ended((pid) => process.kill(pid, 'SIGQUIT'))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function signalAll(pid: number, signal: NodeJS.Signals): void {
  for (const one of [pid, ...childrenOf(pid)])
    try {
      process.kill(one, signal)
    } catch (error) {
      // A child may have ended since.
      if (Object(error).code !== 'ESRCH') throw error
    }
}

function childrenOf(pid: number): number[] {
  const tasks = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return tasks.split(' ').filter(Boolean).map(Number)
}

/** Waits until the server responds. Returns false if it exits. */
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
