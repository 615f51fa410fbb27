/**
 * Kills or freezes the database primary of two nodes under eight writers and eight readers, promotes its standby, and turns
 * the former primary into a standby. No acknowledged write may be lost, no read may fail, and writes must soon resume.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresCluster, startCluster } from '../packages/postgres/src/cluster.fixture.ts'
import { AcknowledgedWriters } from './acknowledged-writers.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { Nodes, settledContents } from './nodes.ts'
import { readThing, waitedFor, writeThing } from './served-world.ts'

const NODES = 2
const READERS = 8
/** Maximum times from promotion until all nodes acknowledge a write, after a kill and after a freeze, in milliseconds. */
const WRITES_MS = 3_000
const FROZEN_MS = 6_000
const SETTLED_MS = 60_000

/** Runs the fault with 20 failovers, or 2 in a short run. */
export async function failover({ short }: Effort): Promise<Finding> {
  const cluster = await startCluster()
  if (cluster === undefined) return notRun('this machine has no PostgreSQL')
  const nodes = new Nodes(cluster.url)
  try {
    await nodes.start(NODES)
    return await run(cluster, nodes, short)
  } finally {
    await nodes.end()
    await cluster.end()
  }
}

async function run(cluster: PostgresCluster, nodes: Nodes, short: boolean): Promise<Finding> {
  const rounds = short ? 2 : 20
  const { urls, token } = nodes
  const writers = new AcknowledgedWriters((writer) => urls[writer % NODES] ?? '', token)
  const readers = startReaders(urls, (reader) => writers.acknowledgedBy(reader))
  const back: number[] = []
  const frozen: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const before = writers.acknowledged.length
      await waitedFor(() => writers.acknowledged.length > before + 50, SETTLED_MS)
      await pause(Math.random() * 500)
      const isFrozen = round % 4 === 1
      if (isFrozen) cluster.primary.freeze()
      else await cluster.primary.kill()
      await pause(Math.random() * 500)
      await cluster.promote()
      const promoted = performance.now()
      await Promise.all(urls.map((url, at) => written(url, token, `back-${round}-${at}`)))
      ;(isFrozen ? frozen : back).push(performance.now() - promoted)
      await cluster.standby.kill()
      await cluster.rejoin()
    }
  } finally {
    await writers.stop()
    await readers.stop()
  }
  const { acknowledged } = writers
  const contents = await settledContents(urls)
  const lost = contents.flatMap(({ ids }) => acknowledged.filter((id) => !ids.has(id))).length
  const { read, failed } = readers
  // In a short run, other work may share the machine.
  const slow = short
    ? 0
    : back.filter((ms) => ms > WRITES_MS).length + frozen.filter((ms) => ms > FROZEN_MS).length
  return finding(
    `${rounds} failovers, ${acknowledged.length} acknowledged writes, ${read()} reads, writes back in ${Math.max(...back).toFixed(0)} ms at most, ${Math.max(...frozen).toFixed(0)} after one that hangs`,
    {
      lost,
      'reads that failed': failed(),
      'nodes that differ': new Set(contents.map(({ digest }) => digest)).size - 1,
      [`times slower than ${WRITES_MS} and ${FROZEN_MS} ms`]: slow,
    },
  )
}

/** Retries a write until it is acknowledged. */
async function written(url: string, token: string, id: string): Promise<void> {
  const isWritten = async () => {
    const { status = 0 } = await writeThing(url, token, id, id)
    return status === 200 || status === 201
  }
  if ((await waitedFor(isWritten, SETTLED_MS)) === undefined)
    throw new Error(`${url} takes no writes a minute after the promotion.`)
}

/** Starts readers that never retry. Each reads the acknowledged writes of the writer with the same number, on its node. */
function startReaders(urls: readonly string[], acknowledged: (reader: number) => readonly string[]) {
  let [read, failed, isOver] = [0, 0, false]
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    while (!isOver) {
      const known = acknowledged(reader)
      const id = known[Math.floor(Math.random() * known.length)]
      const { status } = await readThing(urls[reader % urls.length] ?? '', id ?? 'first')
      read += 1
      if (status !== 200) failed += 1
      await pause(5)
    }
  })
  return {
    read: () => read,
    failed: () => failed,
    async stop() {
      isOver = true
      await Promise.all(readers)
    },
  }
}
