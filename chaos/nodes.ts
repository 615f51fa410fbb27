/** Runs the nodes of one database. Each is a served world with a local replica. */

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '@worldwright/client'
import { pidsOf } from './processes.ts'
import { type ServedWorld, serveWorld, TYPE, waitedFor, writeToken } from './served-world.ts'

const SETTLED_MS = 60_000

/** Environment that makes a process one of the next store format. */
export const NEXT_FORMAT = {
  NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../packages/postgres/src/next-format.fixture.ts')}`,
}

/** Several nodes that can be killed and restarted on their local replicas. */
export class Nodes {
  readonly #folder = mkdtempSync(join(tmpdir(), 'world-nodes-'))
  readonly #database: (at: number) => string
  readonly #worlds: ServedWorld[] = []
  #token = ''

  /** Creates nodes of the database with this URL, without starting them. Each may reach it by a URL of its own. */
  constructor(database: string | ((at: number) => string)) {
    this.#database = typeof database === 'string' ? () => database : database
  }

  /** Starts `count` nodes and creates the token. */
  async start(count: number): Promise<void> {
    this.#token = await writeToken(this.#store(0, 'first'))
    for (let at = 0; at < count; at++) this.#worlds.push(await this.#serve(at))
  }

  /** Token with write permission on each node. */
  get token(): string {
    return this.#token
  }

  /** Origins of all nodes, which do not change on a restart. */
  get urls(): readonly string[] {
    return this.#worlds.map(({ url }) => url)
  }

  /** Kills the node with this index and restarts it at the same address. Resolves when it serves again. */
  async killAndStart(at: number): Promise<void> {
    const world = this.#worlds[at]
    const pid = world?.pids('primary')[0]
    if (!world || pid === undefined) throw new Error(`There is no node ${at} to kill.`)
    process.kill(pid, 'SIGKILL')
    await world.gone()
    this.#worlds[at] = await this.#serve(at, world.port)
  }

  /** Stops the node with this index and starts one of the next format or of this one in its place. Resolves when it serves. */
  async replace(at: number, isNext: boolean): Promise<void> {
    const world = this.#worlds[at]
    await world?.stop()
    this.#worlds[at] = await this.#serve(at, world?.port, isNext ? NEXT_FORMAT : {})
  }

  /** Returns a function that sends a signal to all processes of the node with this index. */
  signals(at: number): (signal: NodeJS.Signals) => void {
    const pids = pidsOf(this.#worlds[at] as ServedWorld)
    return (signal) => {
      for (const pid of pids) process.kill(pid, signal)
    }
  }

  /** Returns the output of all nodes on stderr. */
  said(): string {
    return this.#worlds.map((world) => world.said()).join('\n')
  }

  /** Stops all nodes and removes their local replicas. */
  async end(): Promise<void> {
    for (const world of this.#worlds) await world.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #serve(at: number, port = 0, env: Readonly<Record<string, string>> = {}): Promise<ServedWorld> {
    const folder = join(this.#folder, `world-${at}`)
    mkdirSync(folder, { recursive: true })
    return serveWorld(this.#store(at, `copy-${at}`), {
      port,
      workers: 1,
      folder,
      env: { PGAPPNAME: `node-${at}`, ...env },
    })
  }

  #store(at: number, replica: string): string {
    return `${this.#database(at)}?cache=${join(this.#folder, replica)}`
  }
}

/** Content of a world as a client lists it. */
export interface Content {
  readonly ids: ReadonlySet<string>
  /** Digest of all ids and their revisions. */
  readonly digest: string
}

/** Returns the content of each world once all are equal, or after a minute even if they differ. */
export async function settledContents(urls: readonly string[]): Promise<readonly Content[]> {
  let contents: readonly Content[] = []
  await waitedFor(async () => {
    contents = await Promise.all(urls.map(contentOf))
    return new Set(contents.map(({ digest }) => digest)).size === 1
  }, SETTLED_MS)
  return contents
}

async function contentOf(url: string): Promise<Content> {
  const world = await connect(url)
  const ids = new Set<string>()
  const digest = createHash('sha256')
  for await (const { id, revision } of world.entities(TYPE, { pageSize: 1_000 })) {
    ids.add(id)
    digest.update(`${id} ${revision}\n`)
  }
  return { ids, digest: digest.digest('hex') }
}
