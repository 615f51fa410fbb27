/** Fixtures of the contract tests: a store with a settable clock, and sample entities. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import type {
  Change,
  CommitResult,
  EntityKey,
  ImportCounts,
  MaybePromise,
  Store,
  StoredEntity,
  TypeState,
  WriteResult,
} from './contract.ts'

/** Tombstone retention of the suite's stores, in milliseconds: the default of 90 days. */
export const KEPT_MS = 90 * 24 * 60 * 60 * 1_000

/** Settable clock of a store under test. */
export interface Clock {
  time: Date
}

/** Opens an empty store for one test and closes it afterwards. */
export type OpenStore = (t: TestContext) => Promise<{ readonly storage: Store; readonly clock: Clock }>

/** Opens a store as `OpenStore` does, and can corrupt a stored entity behind its back, everywhere the store reads it. */
export type OpenDamageable = (t: TestContext) => Promise<{
  readonly storage: Store
  readonly clock: Clock
  damage(key: EntityKey): MaybePromise<void>
}>

/** Returns an entity of type `sol:planet`, without attributes by default. */
export function planet(id: string, members: Partial<Entity> = {}): Entity {
  return { type: 'sol:planet', id, attributes: {}, ...members }
}

/** Returns an entity of type `sol:moon`, without attributes by default. */
export function moon(id: string, members: Partial<Entity> = {}): Entity {
  return { ...planet(id, members), type: 'sol:moon' }
}

/** Puts entities in one write. */
export async function put(storage: Store, ...entities: Entity[]): Promise<WriteResult> {
  return await storage.write(entities.map((entity) => ({ put: entity })))
}

/** Imports entities in a single commit. */
export async function importAll(
  storage: Store,
  entities: Entity[],
  replace?: readonly string[],
): Promise<ImportCounts> {
  return countsOf(await importAt(storage, entities, replace))
}

/** Imports entities in a single commit, and also returns the position. */
export async function importAt(
  storage: Store,
  entities: Entity[],
  replace?: readonly string[],
): Promise<CommitResult> {
  const load = await storage.bulk()
  await load.add(entities)
  return await load.commit(replace ? { replace } : {})
}

/** Returns the counts of an import, without its position. */
export function countsOf({ position: _, ...counts }: CommitResult): ImportCounts {
  return counts
}

/** Returns all ids of a type, read in pages of `size`. */
export async function walk(storage: Store, type: string, size: number): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const after = ids.at(-1)
    const { entities } = await storage.list(
      type,
      after === undefined ? { limit: size } : { after, limit: size },
    )
    if (entities.length === 0) return ids
    ids.push(...idsOf(entities))
  }
}

/** Returns the ids of entities, in order. */
export function idsOf(entities: Iterable<{ readonly id: string }>): string[] {
  return Array.from(entities, ({ id }) => id)
}

/** Parses the JSON of a stored entity; undefined if there is none. */
export function parsed(entity: StoredEntity | undefined): JsonObject | undefined {
  return entity && JSON.parse(entity.json)
}

/** Returns the state of a type that must exist. */
export async function stateOf(storage: Store, type: string): Promise<TypeState> {
  const state = (await storage.types()).get(type)
  if (!state) throw new Error(`${type} is not among the versions`)
  return state
}

/** Creates a pseudo-random generator, the same in every run: integers from 0 up to, not including, `below`. */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Returns every change after an offset, read in pages of `limit`. */
export async function walked(storage: Store, limit: number, after?: string): Promise<Change[]> {
  const all: Change[] = []
  for (let place = after; ; ) {
    const { changes, next, more } = await storage.changes({
      ...(place !== undefined && { after: place }),
      limit,
    })
    all.push(...changes)
    if (!more) return all
    place = next
  }
}

/** Describes a change in words: its kind, and its entity. */
export function shown({ type, id, entity }: Change): string {
  return `${entity ? 'put' : 'delete'} ${type.slice('sol:'.length)} ${id}`
}

/** Waits until a tombstone is forgotten: engines trim them in the background after a write. */
export async function forgotten(storage: Store, key: string): Promise<void> {
  const isThere = async () =>
    (await walked(storage, 100)).some(({ type, id, entity }) => !entity && `${type} ${id}` === key)
  for (const deadline = Date.now() + 5_000; await isThere(); ) {
    assert.ok(Date.now() < deadline, `${key} is still remembered`)
    await new Promise((resume) => setImmediate(resume))
  }
}
