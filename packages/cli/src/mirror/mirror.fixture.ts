/** Serves worlds to mirror in tests, and reads mirror folders. */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, connect as dial } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { listen } from '@worldwright/node'

/** A served world with its store. */
export interface MirroredWorld {
  readonly url: string
  readonly store: Store
  /** Returns the number of bytes that the world has sent so far, including header fields. */
  bytes(): number
  /** Writes moons with the given title and ids in one commit. */
  put(title: string, ...ids: string[]): Promise<void>
  remove(...ids: string[]): Promise<void>
}

/** Serves a world of moons until the test ends, with or without a change log. */
export async function mirroredWorld(
  t: TestContext,
  { changes: says = true, store = createMemoryStore(), id = 'urn:example:sol' } = {},
): Promise<MirroredWorld> {
  const schema = { type: 'object', properties: { km: { type: 'number' } } }
  const world = { id, name: 'Sol', types: [{ type: 'sol:moon', title: 'Moon', schema }] }
  const extensions = says ? [changes()] : []
  const meter = await meterTo(t)
  const handler = createWorld({ ...world, store, extensions, publicUrl: meter.url })
  const listening = await listen(handler, { port: 0 })
  t.after(() => listening.close())
  meter.to(listening.port)
  return {
    url: meter.url,
    store,
    bytes: meter.bytes,
    async put(title, ...ids) {
      await store.write(ids.map((id) => ({ put: { type: 'sol:moon', id, title, attributes: {} } })))
    },
    async remove(...ids) {
      await store.write(ids.map((id) => ({ delete: { type: 'sol:moon', id } })))
    },
  }
}

/** Forwards connections to a port, and counts the response bytes. */
async function meterTo(t: TestContext) {
  let port = 0
  let bytes = 0
  const server = createServer((client) => {
    const upstream = dial(port, '127.0.0.1')
    client.pipe(upstream).on('error', () => client.destroy())
    upstream.on('data', (chunk) => (bytes += chunk.length))
    upstream.pipe(client).on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port: own } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${own}`, bytes: () => bytes, to: (next: number) => (port = next) }
}

/** Reads a mirror. Returns its entities, its manifest, the names of its files, and functions that read a file. */
export async function mirrorIn(folder: string) {
  const names = (await readdir(folder)).filter((name) => name !== '.mirror').toSorted()
  const json = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))
  const lines = async (name: string): Promise<string[]> =>
    (await readFile(join(folder, name), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const manifest = names.includes('mirror.json') ? await json('mirror.json') : undefined
  const entities: string[] = []
  for (const { file } of Object.values<{ file: string }>(manifest?.types ?? {}))
    entities.push(...(await lines(file)))
  return { names, manifest, entities, json, lines }
}

/** Returns the JSON of all entities in a store, in ascending order of type and id. */
export async function entitiesOf(store: Store): Promise<string[]> {
  const snapshot = await store.snapshot()
  const found: string[] = []
  for await (const { json } of snapshot.entities()) found.push(json)
  await snapshot.close()
  return found
}
