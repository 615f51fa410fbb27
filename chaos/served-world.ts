/** Runs `world serve` in processes that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'

const MAIN = resolve(import.meta.dirname, '../packages/cli/src/main.ts')

/** Type of the entities that are written. */
export const TYPE = 'chaos:thing'

/** Kinds of processes of a world. */
export type Part = 'primary' | 'worker' | 'searcher'

const PROGRAMS: Readonly<Record<Part, string>> = {
  primary: 'main.ts',
  worker: 'worker-program.ts',
  searcher: 'search-worker.ts',
}

/** Deadline for a world to start, in milliseconds. Generous for busy machines. */
const START_MS = 120_000
/** Deadline for a process to end after its parent has ended or after SIGTERM, in milliseconds. */
const GONE_MS = 60_000

/** Options for starting `world serve`. */
export interface ServeOptions {
  /** Port to listen on. Defaults to any free port. */
  readonly port?: number
  readonly workers?: number
  /** Folder to serve. Defaults to the folder of the store. */
  readonly folder?: string
  /** Origin of the upstream that this world follows. */
  readonly follow?: string
  /** Additional environment variables of the world's processes. */
  readonly env?: Readonly<Record<string, string>>
  /** Additional flags of `world serve`. */
  readonly flags?: readonly string[]
  /** Command under which to run the world, such as `prlimit --nofile=40`. */
  readonly under?: readonly string[]
}

/** World served by child processes. */
export interface ServedWorld {
  readonly url: string
  readonly port: number
  /** Returns the stderr output so far. */
  said(): string
  /** Returns the ids of the current processes of this kind. */
  pids(part: Part): number[]
  /**
   * Sends SIGTERM, as an operator does, and returns the exit code. Does nothing if the process is gone. After a minute,
   * kills it and rejects.
   */
  stop(): Promise<number | null>
  /** Resolves when the main process and all its children have ended. Rejects if any is left after a minute. */
  gone(): Promise<void>
}

/** Returns the URL of a store that is given as a file or a database URL. */
function urlOf(store: string): string {
  return store.startsWith('postgres:') ? store : `sqlite:${store}`
}

/** Creates a store with one thing and returns a token with write permission. `path` is a file or a database URL. */
export async function writeToken(path: string): Promise<string> {
  const store = await openStore(urlOf(path), { role: 'writer' })
  try {
    await store.write([{ put: { type: TYPE, id: 'first', attributes: {} } }])
    return (await createToken(store, { scopes: ['write'] })).token
  } finally {
    await store.close()
  }
}

/** Serves a store, given as a file or, with `folder`, a database URL. Resolves when the world has printed its own URL. */
export async function serveWorld(
  store: string,
  {
    port = 0,
    workers = 2,
    env = {},
    flags: further = [],
    under = [],
    follow,
    folder = dirname(store),
  }: ServeOptions = {},
): Promise<ServedWorld> {
  const command = [
    ...under,
    process.execPath,
    '--conditions=@worldwright/source',
    MAIN,
    'serve',
    ...(follow === undefined ? [folder, '--operator'] : ['--follow', follow]),
  ]
  const flags = ['--store', urlOf(store), '--port', `${port}`, '--workers', `${workers}`, ...further]
  const [program = '', ...args] = [...command, ...flags]
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env, NODE_ENV: 'production' },
  })
  const exited = once(child, 'exit')
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const began = performance.now()
  let url: string | undefined
  while (url === undefined) {
    // A replica also prints the URL of its upstream.
    url = text.match(/http:\/\/127\.0\.0\.1:\d+/g)?.find((said) => said !== follow)
    if (isOver(child)) throw new Error(`The world ended before it answered:\n${text}`)
    if (url !== undefined) break
    if (performance.now() - began > START_MS) {
      child.kill('SIGKILL')
      throw new Error(`The world did not answer in time:\n${text}`)
    }
    await pause(5)
  }
  const pid = child.pid ?? 0
  let family: number[] = []
  return {
    url,
    port: Number(new URL(url).port),
    said: () => text,
    pids(part) {
      family = familyOf(pid)
      return family.filter((member) => commandOf(member).includes(`/${PROGRAMS[part]}\0`))
    },
    async stop() {
      if (!isOver(child)) child.kill('SIGTERM')
      if ((await waitedFor(() => isOver(child), GONE_MS)) === undefined) {
        child.kill('SIGKILL')
        throw new Error(`The world did not end in time:\n${text}`)
      }
      return child.exitCode
    },
    async gone() {
      await exited
      const left = () => family.filter((member) => commandOf(member) !== '')
      if ((await waitedFor(() => left().length === 0, GONE_MS)) === undefined)
        throw new Error(
          `Processes stayed: ${left().map((member) => `${member} ${commandOf(member)}`)}\n${text}`,
        )
    },
  }
}

/** Writes one thing. Returns the status and body of the response. The status is undefined if there was no response. */
export async function writeThing(
  url: string,
  token: string,
  id: string,
  title: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  try {
    const response = await fetch(`${url}/api/operator/v0/entities/${encodeURIComponent(TYPE)}/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title, attributes: {} }),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: response.status, body: await response.text() }
  } catch {
    return { status: undefined, body: '' }
  }
}

/** Reads one thing. Returns the same as `writeThing`, and the lag in seconds that the response states, by default 0. */
export async function readThing(
  url: string,
  id: string,
): Promise<{ status: number | undefined; body: string; lagSeconds: number }> {
  try {
    const response = await fetch(`${url}/api/world/v0/entities/${encodeURIComponent(TYPE)}/${id}`, {
      signal: AbortSignal.timeout(10_000),
    })
    const lagSeconds = Number(response.headers.get('worldwright-lag') ?? 0)
    return { status: response.status, body: await response.text(), lagSeconds }
  } catch {
    return { status: undefined, body: '', lagSeconds: 0 }
  }
}

/** Waits until a condition is true. Returns the time taken in milliseconds, or undefined after the timeout. */
export async function waitedFor(
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<number | undefined> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > timeoutMs) return undefined
    await pause(5)
  }
  return performance.now() - began
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function familyOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(familyOf)]
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
