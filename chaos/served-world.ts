/** A world that `world serve` serves, in processes that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'

const MAIN = resolve(import.meta.dirname, '../packages/cli/src/main.ts')

/** The type of what is written. */
export const TYPE = 'chaos:thing'

/** What can be killed of a world. */
export type Part = 'owner' | 'worker' | 'searcher'

const PROGRAMS: Readonly<Record<Part, string>> = {
  owner: 'main.ts',
  worker: 'worker-program.ts',
  searcher: 'search-worker.ts',
}

/** A world answers within this time, however much else the machine does. */
const START_MS = 120_000
/** Whatever a process is at, it is gone this long after its parent, or after it was asked to end. */
const GONE_MS = 60_000

/** How `world serve` is started. */
export interface ServeOptions {
  /** Absent: any free one. */
  readonly port?: number
  readonly workers?: number
  /** What it serves, beside its store. Absent: the folder of the store. */
  readonly folder?: string
  /** The origin of the world that this one copies. */
  readonly follow?: string
  /** Further environment of its processes. */
  readonly env?: Readonly<Record<string, string>>
  /** Further flags of `world serve`. */
  readonly flags?: readonly string[]
  /** A command that runs it, such as `prlimit --nofile=40`. */
  readonly under?: readonly string[]
}

/** A world that is served. */
export interface ServedWorld {
  readonly url: string
  readonly port: number
  /** What it has said on stderr. */
  said(): string
  /** The processes of a part now. */
  pids(part: Part): number[]
  /**
   * Ends it as an operator does, and gives the exit code. Harmless where it is gone. Rejects where it is there after a
   * minute, and has been killed then.
   */
  stop(): Promise<number | null>
  /** Resolves when its first process is gone, and all its children with it. Rejects where some are there after a minute. */
  gone(): Promise<void>
}

/** A store as it is named to a command: a URL of a database, or a file. */
function urlOf(store: string): string {
  return store.startsWith('postgres:') ? store : `sqlite:${store}`
}

/** Makes a store with one thing, and a token that may write more of them. `store`: a file, or the URL of a node. */
export async function writeToken(store: string): Promise<string> {
  const storage = await openStore(urlOf(store), { role: 'owner' })
  try {
    await storage.write([{ put: { type: TYPE, id: 'first', attributes: {} } }])
    return (await createToken(storage, { scopes: ['write'] })).token
  } finally {
    await storage.close()
  }
}

/** Serves a store: a file, or the URL of a node with `folder`. Resolves when it answers. */
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
    // A copy names its owner, too.
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

/** Writes one thing, and answers with the status, or undefined if no answer came, and the code of a refusal. */
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

/** Reads one thing, and answers as `writeThing` does; with the lag that the answer states, 0 if it states none. */
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

/** Waits until something holds, and gives the milliseconds that took; undefined if it was not so in time. */
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
