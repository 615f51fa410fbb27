/** Worlds to mirror in tests, and the content of a mirror. */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, connect as dial } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore, type Store } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { listen } from '@worldwright/node'

/** A world that listens, and the store behind it. */
export interface MirroredWorld {
  readonly url: string
  readonly storage: Store
  /** Bytes received from it so far, header fields included. */
  bytes(): number
  /** Puts moons in one commit, each with this title. */
  put(title: string, ...ids: string[]): Promise<void>
  remove(...ids: string[]): Promise<void>
}

/** Serves a world of moons until the test ends, with or without a change log. */
export async function mirroredWorld(
  t: TestContext,
  { changes: says = true, storage = createMemoryStore(), id = 'urn:example:sol' } = {},
): Promise<MirroredWorld> {
  const schema = { type: 'object', properties: { km: { type: 'number' } } }
  const world = { id, name: 'Sol', types: [{ type: 'sol:moon', title: 'Moon', schema }] }
  const extensions = says ? [changes()] : []
  const meter = await meterTo(t)
  const handler = createWorld({ ...world, store: storage, extensions, publicUrl: meter.url })
  const listening = await listen(handler, { port: 0 })
  t.after(() => listening.close())
  meter.to(listening.port)
  return {
    url: meter.url,
    storage,
    bytes: meter.bytes,
    async put(title, ...ids) {
      await storage.write(ids.map((id) => ({ put: { type: 'sol:moon', id, title, attributes: {} } })))
    },
    async remove(...ids) {
      await storage.write(ids.map((id) => ({ delete: { type: 'sol:moon', id } })))
    },
  }
}

/** Forwards a port, and counts the bytes that come back. */
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

/** Returns the entities in a mirror's files, by id, and the other files of its folder. */
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

/** Returns all entities of a store, as its world gives them, ascending by type and id. */
export async function entitiesOf(storage: Store): Promise<string[]> {
  const snapshot = await storage.snapshot()
  const found: string[] = []
  for await (const { json } of snapshot.entities()) found.push(json)
  await snapshot.close()
  return found
}
