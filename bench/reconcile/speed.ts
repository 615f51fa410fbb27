/** Time to reconcile a spreadsheet column over HTTP against a file store with 176,652 entities. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@worldwright/engines'
import { readEntities } from '../search/corpus.ts'

const BATCHES = [10, 100]

/** Reconciles the names of `count` entities of a type, a third of them misspelt, once for each batch size. */
export async function* secondsFor(data: URL, type: string, count: number) {
  const file = new URL('entities/medium.ndjson.gz', data)
  const server = await served(await filled(file))
  const names: string[] = []
  for await (const { type: own, title } of readEntities(file))
    if (own === type && title && title.length <= 512 && names.push(title) === count) break
  const cells = names.map((name, at) => (at % 3 === 0 ? misspelt(name) : name))
  try {
    for (const batch of BATCHES)
      yield { batch, ...(await reconciled(`${server.url}/reconcile/${type}`, cells, batch)) }
  } finally {
    server.child.disconnect()
    await once(server.child, 'exit')
  }
}

async function reconciled(url: string, cells: readonly string[], batch: number) {
  const began = performance.now()
  let matched = 0
  for (let from = 0; from < cells.length; from += batch) {
    const queries = cells.slice(from, from + batch).map((query, at) => [`q${at}`, { query, limit: 10 }])
    const body = new URLSearchParams({ queries: JSON.stringify(Object.fromEntries(queries)) })
    const response = await fetch(url, { method: 'POST', body })
    if (!response.ok) throw new Error(await response.text())
    const results = (await response.json()) as Record<string, { result: { match: boolean }[] }>
    matched += Object.values(results).filter(({ result }) => result.some(({ match }) => match)).length
  }
  return { seconds: (performance.now() - began) / 1_000, matched }
}

/** Swaps two letters in the middle of a name. */
function misspelt(name: string): string {
  const at = name.length >> 1
  return name.slice(0, at - 1) + name.slice(at, at + 1) + name.slice(at - 1, at) + name.slice(at + 1)
}

/** Returns the path of the store. The first call creates the store, which later runs reuse. */
async function filled(file: URL): Promise<string> {
  const path = join(tmpdir(), 'worldwright-bench', 'reconcile.db')
  if (existsSync(path)) return path
  mkdirSync(join(path, '..'), { recursive: true })
  rmSync(`${path}.draft`, { force: true })
  const store = await openStore(`sqlite:${path}.draft`, { role: 'writer' })
  const running = await store.bulk()
  let pending = []
  for await (const entity of readEntities(file)) {
    if (pending.push(entity) < 1_000) continue
    await running.add(pending)
    pending = []
  }
  await running.add(pending)
  await running.commit()
  await store.close()
  renameSync(`${path}.draft`, path)
  return path
}

async function served(store: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, 'server.ts'), [store], {
    execArgv: ['--conditions=@worldwright/source'],
  })
  const [port] = (await once(child, 'message')) as [number]
  return { child, url: `http://127.0.0.1:${port}` }
}
