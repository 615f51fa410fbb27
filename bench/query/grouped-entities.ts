/** The entities of a file, with generated numbers and texts to group and to measure. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entity } from '@worldwright/client/protocol'
import { openStore } from '@worldwright/engines'
import { readEntities } from '../search/corpus.ts'

/** Attributes that are grouped and measured. */
export interface Grouped {
  readonly country: string
  /** One of a thousand texts. */
  readonly shelf: string
  readonly year: number
  readonly rating: number
  /** A whole number from 1 to 1,000. A tenth of the entities have less than 101. */
  readonly pages: number
}

const AT_ONCE = 1_000
const NUMBER = { type: 'number' }
const TEXT = { type: 'string' }
const PROPERTIES = { country: TEXT, shelf: TEXT, year: NUMBER, rating: NUMBER, pages: NUMBER }

/** Yields the entities of a file with the generated attributes, which are the same in every run. */
export async function* groupedEntities(file: URL): AsyncGenerator<Entity & { readonly attributes: Grouped }> {
  let at = 0
  for await (const entity of readEntities(file)) {
    const mixed = (salt: number, limit: number) => {
      const hash = Math.imul(at ^ (salt * 0x9e3779b1), 0x85ebca6b)
      return ((hash ^ (hash >>> 15)) >>> 0) % limit
    }
    at += 1
    const attributes = {
      ...entity.attributes,
      country: String(entity.attributes['country']),
      shelf: `shelf ${mixed(1, 1_000)}`,
      year: 1_800 + mixed(2, 230),
      rating: mixed(3, 101) / 10,
      pages: 1 + mixed(4, 1_000),
    }
    yield { ...entity, attributes }
  }
}

/** Returns a store of these entities, beside a definition of their world. It is kept in the temporary folder. */
export async function groupedStore(file: URL): Promise<string> {
  const folder = join(tmpdir(), 'worldwright-bench', 'grouped')
  const path = join(folder, 'world.db')
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.draft`
  for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  const store = await openStore(`sqlite:${draft}`, { role: 'writer' })
  const staged = await store.bulk()
  const types = new Set<string>()
  let batch: Entity[] = []
  for await (const entity of groupedEntities(file)) {
    types.add(entity.type)
    if (batch.push(entity) < AT_ONCE) continue
    await staged.add(batch)
    batch = []
  }
  await staged.add(batch)
  await staged.commit()
  await store.close()
  const described = [...types].map((type) => ({ type, schema: { properties: PROPERTIES } }))
  writeFileSync(join(folder, 'world.yaml'), JSON.stringify({ id: 'urn:example:grouped', types: described }))
  renameSync(draft, path)
  return path
}
