/**
 * Kills three OpenSearch nodes in turn while a world that uses them for search is written and searched. At the end, every
 * acknowledged write must be found exactly once. Searches may fail only until the other nodes notice the failure.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  missingForOpenSearch,
  type OpenSearchCluster,
  startOpenSearch,
} from '../packages/opensearch/src/opensearch.fixture.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { type ServedWorld, serveWorld, waitedFor, writeThing, writeToken } from './served-world.ts'

const NODES = 3
const KILLS = 10
/** Number of things, which are written in turn. */
const THINGS = 50
/** Writes and searches per second. */
const WRITES = 20
const SEARCHES = 20
/** Maximum total time for which searches may fail after each kill, in milliseconds. */
const FAILING_MS = 1_500
/** Time between the kill of a node and its restart, in milliseconds. */
const AWAY_MS = 5_000
const SETTLED_MS = 90_000

/** Runs the fault with 10 kills. There is no short run, because three nodes may take a minute to start. */
export async function killShards({ short }: Effort): Promise<Finding> {
  if (short) return notRun('three nodes of OpenSearch take longer than a short run')
  const missing = missingForOpenSearch()
  if (missing !== undefined) return notRun(missing.replace(/^not run: /, ''))
  const folder = mkdtempSync(join(tmpdir(), 'world-shards-'))
  const cluster = await startOpenSearch(NODES)
  const store = join(folder, 'world.db')
  let world: ServedWorld | undefined
  try {
    const token = await writeToken(store)
    const search = `opensearch://${cluster.hosts.join()}/things?shards=3&replicas=1`
    world = await serveWorld(store, { workers: 1, flags: ['--search', search] })
    return await new Trial(cluster, world.url, token).run()
  } finally {
    await world?.stop()
    await cluster.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

class Trial {
  readonly #cluster: OpenSearchCluster
  readonly #url: string
  readonly #token: string
  /** Number in the last acknowledged title, by id. */
  readonly #written = new Map<string, number>()
  #searches = 0
  #partial = 0
  #failingMs = 0
  #isOver = false

  constructor(cluster: OpenSearchCluster, url: string, token: string) {
    this.#cluster = cluster
    this.#url = url
    this.#token = token
  }

  async run(): Promise<Finding> {
    await this.#settled()
    const load = [this.#write(), this.#search()]
    const worst: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      this.#failingMs = 0
      await this.#cluster.kill(kill % NODES)
      await pause(AWAY_MS)
      await this.#cluster.start(kill % NODES)
      await this.#settled()
      worst.push(Math.round(this.#failingMs))
    }
    this.#isOver = true
    await Promise.all(load)
    const lost = await this.#lost()
    const most = Math.max(...worst)
    return finding(
      `${KILLS} kills of one of ${NODES} nodes; ${this.#written.size} things written, ${this.#searches} searches, ${this.#partial} of them partial; searches failed for ${most} ms at most (${worst.join(', ')})`,
      { 'lost or found twice': lost, 'times too long': worst.filter((ms) => ms > FAILING_MS).length },
    )
  }

  /** Waits until every shard has its replica again and searches are answered. */
  async #settled(): Promise<void> {
    const health = `http://${this.#cluster.hosts[0]}/_cluster/health?wait_for_status=green&timeout=1s`
    const isGreen = () =>
      fetch(health).then(
        ({ ok }) => ok,
        () => false,
      )
    if ((await waitedFor(isGreen, SETTLED_MS)) === undefined) throw new Error('the cluster did not settle')
    if ((await waitedFor(async () => (await this.#find('first')) !== undefined, SETTLED_MS)) === undefined)
      throw new Error('no search was answered')
  }

  async #write(): Promise<void> {
    for (let number = 1; !this.#isOver; number++) {
      const id = `thing-${number % THINGS}`
      const { status } = await writeThing(this.#url, this.#token, id, `Thing x${number}x`)
      if (status === 200 || status === 201) this.#written.set(id, number)
      await pause(1_000 / WRITES)
    }
  }

  /** Searches continuously. A failed search adds the time since the end of the previous search to the total failing time. */
  async #search(): Promise<void> {
    let at = performance.now()
    while (!this.#isOver) {
      const found = await this.#find('thing')
      const now = performance.now()
      this.#searches += 1
      if (found === undefined) this.#failingMs += now - at
      else if (found.partial) this.#partial += 1
      await pause(1_000 / SEARCHES)
      at = now
    }
  }

  /** Returns the hits for a text, or undefined if the search failed. */
  async #find(text: string): Promise<{ ids: string[]; partial: boolean } | undefined> {
    try {
      const response = await fetch(`${this.#url}/api/world/v0/actions/wp:discover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { text, limit: 3 } }),
        signal: AbortSignal.timeout(10_000),
      })
      if (response.status !== 200) return undefined
      const { output } = (await response.json()) as {
        output: { entities: { id: string }[]; partial?: true }
      }
      return {
        ids: output.entities.map(({ id }) => id),
        partial: output.partial === true,
      }
    } catch {
      return undefined
    }
  }

  /** Counts the things that are not found exactly once by their last acknowledged title. */
  async #lost(): Promise<number> {
    let lost = 0
    for (const [id, number] of this.#written) {
      const isFound = async () => {
        const found = await this.#find(`x${number}x`)
        return found !== undefined && found.ids.filter((one) => one === id).length === 1
      }
      if ((await waitedFor(isFound, 10_000)) === undefined) lost += 1
    }
    return lost
  }
}
