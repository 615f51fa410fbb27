/** Fixtures for the contract tests: a store with a settable clock, and sample entities. */
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
export type OpenStore = (t: TestContext) => Promise<{ readonly store: Store; readonly clock: Clock }>

/** Opens a store like `OpenStore`, with a function that corrupts a stored entity in every place where the store reads it. */
export type OpenDamageable = (t: TestContext) => Promise<{
  readonly store: Store
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
export async function put(store: Store, ...entities: Entity[]): Promise<WriteResult> {
  return await store.write(entities.map((entity) => ({ put: entity })))
}

/** Imports entities in a single commit. */
export async function importAll(
  store: Store,
  entities: Entity[],
  replace?: readonly string[],
): Promise<ImportCounts> {
  return countsOf(await importAt(store, entities, replace))
}

/** Imports entities in a single commit, and also returns the position. */
export async function importAt(
  store: Store,
  entities: Entity[],
  replace?: readonly string[],
): Promise<CommitResult> {
  const load = await store.bulk()
  await load.add(entities)
  return await load.commit(replace ? { replace } : {})
}

/** Returns the counts of a committed import, without the position. */
export function countsOf({ position: _, ...counts }: CommitResult): ImportCounts {
  return counts
}

/** Returns all ids of a type, read in pages of `size`. */
export async function walk(store: Store, type: string, size: number): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const after = ids.at(-1)
    const { entities } = await store.list(
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

/** Returns the parsed JSON of an entity, or undefined if there is no entity. */
export function parsed(entity: StoredEntity | undefined): JsonObject | undefined {
  return entity && JSON.parse(entity.json)
}

/** Returns the state of a type that must exist. */
export async function stateOf(store: Store, type: string): Promise<TypeState> {
  const state = (await store.types()).get(type)
  if (!state) throw new Error(`${type} is not among the versions`)
  return state
}

/** Creates a deterministic random number generator, which returns integers from 0 to `below`, exclusive. */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Returns every change after an offset, read in pages of `limit`. */
export async function walked(store: Store, limit: number, after?: string): Promise<Change[]> {
  const all: Change[] = []
  for (let offset = after; ; ) {
    const { changes, next, more } = await store.changes({
      ...(offset !== undefined && { after: offset }),
      limit,
    })
    all.push(...changes)
    if (!more) return all
    offset = next
  }
}

/** Describes a change as text, such as `put moon io`. */
export function shown({ type, id, entity }: Change): string {
  return `${entity ? 'put' : 'delete'} ${type.slice('sol:'.length)} ${id}`
}

/** Waits until a tombstone is forgotten: engines trim tombstones in the background after a write. */
export async function forgotten(store: Store, key: string): Promise<void> {
  const isThere = async () =>
    (await walked(store, 100)).some(({ type, id, entity }) => !entity && `${type} ${id}` === key)
  for (const deadline = Date.now() + 5_000; await isThere(); ) {
    assert.ok(Date.now() < deadline, `${key} is still remembered`)
    await new Promise((resume) => setImmediate(resume))
  }
}
