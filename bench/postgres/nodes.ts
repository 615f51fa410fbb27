/** Measures how fast nodes replicate the database: during an import, from scratch, and after downtime. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { isReached, positionNow } from '@worldwright/core/store'
import { openStore, storeUrl } from '@worldwright/engines'
import { spreadOf } from '../http/measure.ts'
import type { Line } from '../http/table.ts'
import { ROOT } from '../measured-loads.ts'

/** Number of entities written while a node is down, and number of entities per write. */
const AWAY = 10_000
const WRITTEN = 500

/** Nodes that share a store. Each has its local replica in its own folder. */
export interface Nodes {
  /** URL of the store, without the folder of a local replica. */
  readonly url: string
  /** Parent folder of the local replicas. */
  readonly folder: string
}

/** Runs a `world` command and waits until it exits. */
export async function world(cwd: string, ...args: string[]): Promise<void> {
  const argv = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts'), ...args]
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`world ${args[0]} ended with code ${code}`)
}

/** Opens a node in the role of the process that follows the database. */
export function openNode({ url, folder }: Nodes, name: string): Promise<Store> {
  return openStore(storeUrl(`${url}?cache=${name}`, folder), { role: 'writer' })
}

/** Returns the number of entities in a store. */
export async function countOf(store: Store): Promise<number> {
  let sum = 0
  for (const { count } of (await store.types()).values()) sum += count
  return sum
}

/** Imports a file while a node follows. Measures entities per second, and the time until the node has all entities. */
export async function importing(nodes: Nodes, file: string): Promise<Line[]> {
  const node = openStore(storeUrl(`${nodes.url}?cache=following`, nodes.folder), { role: 'writer' })
  const following = await node
  const begun = performance.now()
  const url = `${nodes.url}?cache=${join(nodes.folder, 'following')}`
  const has = Promise.withResolvers<number>()
  const watching = new AbortController()
  const watch = (async () => {
    for await (const _ of following.watch(watching.signal))
      if ((await countOf(following)) > 0) return has.resolve((performance.now() - begun) / 1_000)
  })()
  const cwd = mkdtempSync(join(nodes.folder, 'import-'))
  await world(cwd, 'import', file, '--store', url)
  const seconds = (performance.now() - begun) / 1_000
  const until = Math.max(seconds, await has.promise)
  watching.abort()
  await watch
  const entities = await countOf(following)
  await following.close()
  return [
    rate(`import of ${entities.toLocaleString('en')}, entities a second`, entities / seconds, 10_000),
    {
      question: "a node has all of it, in times of the import's",
      bar: '≤ 1.5',
      value: spreadOf([until / seconds]),
      met: until / seconds <= 1.5,
    },
  ]
}

/** Measures opening a node that has no local replica yet. */
export async function fresh(nodes: Nodes): Promise<Line[]> {
  const begun = performance.now()
  const node = await openNode(nodes, 'fresh')
  const seconds = (performance.now() - begun) / 1_000
  const entities = await countOf(node)
  await node.close()
  return [rate('a fresh node, entities a second', entities / seconds, 15_000)]
}

/** Measures opening a node that was down while another node wrote. */
export async function away(nodes: Nodes): Promise<Line[]> {
  const writer = await openNode(nodes, 'following')
  for (let count = 0; count < AWAY; count += WRITTEN)
    await writer.write(
      Array.from({ length: WRITTEN }, (_, at) => ({
        put: { type: 'bench:away', id: `e${count + at}`, title: `Away ${count + at}`, attributes: { count } },
      })),
    )
  const position = await positionNow(writer)
  await writer.close()
  const begun = performance.now()
  const node = await openNode(nodes, 'fresh')
  const seconds = (performance.now() - begun) / 1_000
  if ((await isReached(node, position)) !== true) throw new Error('the node has not caught up')
  await node.close()
  return [
    {
      question: 'a node that was away for 10,000 changes, s',
      bar: '≤ 2',
      value: spreadOf([seconds]),
      met: seconds <= 2,
    },
  ]
}

function rate(question: string, perSecond: number, bar: number): Line {
  const value = spreadOf([Math.round(perSecond)])
  return { question, bar: `≥ ${bar.toLocaleString('en')}`, value, met: perSecond >= bar }
}
