/** What the contract's tests share: a store with a clock to turn, and entities to put in. */
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

/** How long the suite's stores remember deletions, in milliseconds: the 90 days that are the default. */
export const KEPT_MS = 90 * 24 * 60 * 60 * 1_000

/** The time a store under test believes it is. */
export interface Clock {
  time: Date
}

/** Opens an empty store for one test and closes it after. */
export type OpenStore = (t: TestContext) => Promise<{ readonly storage: Store; readonly clock: Clock }>

/** Opens a store as `OpenStore` does, and can damage what it keeps of an entity: behind its back, in all it reads from. */
export type OpenDamageable = (t: TestContext) => Promise<{
  readonly storage: Store
  readonly clock: Clock
  damage(key: EntityKey): MaybePromise<void>
}>

/** An entity of type `sol:planet` with no attributes unless given. */
export function planet(id: string, members: Partial<Entity> = {}): Entity {
  return { type: 'sol:planet', id, attributes: {}, ...members }
}

/** An entity of type `sol:moon` with no attributes unless given. */
export function moon(id: string, members: Partial<Entity> = {}): Entity {
  return { ...planet(id, members), type: 'sol:moon' }
}

/** Puts entities in one write. */
export async function put(storage: Store, ...entities: Entity[]): Promise<WriteResult> {
  return await storage.write(entities.map((entity) => ({ put: entity })))
}

/** Imports entities in one go. */
export async function importAll(
  storage: Store,
  entities: Entity[],
  replace?: readonly string[],
): Promise<ImportCounts> {
  return countsOf(await importAt(storage, entities, replace))
}

/** Imports entities in one go, and tells the position too. */
export async function importAt(
  storage: Store,
  entities: Entity[],
  replace?: readonly string[],
): Promise<CommitResult> {
  const load = await storage.bulk()
  await load.add(entities)
  return await load.commit(replace ? { replace } : {})
}

/** How many entities an import touched, without where that led. */
export function countsOf({ position: _, ...counts }: CommitResult): ImportCounts {
  return counts
}

/** All ids of a type, walked in pages of `size`. */
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

/** The ids of entities, in their order. */
export function idsOf(entities: Iterable<{ readonly id: string }>): string[] {
  return Array.from(entities, ({ id }) => id)
}

/** The parsed JSON of a stored entity; undefined if there is none. */
export function parsed(entity: StoredEntity | undefined): JsonObject | undefined {
  return entity && JSON.parse(entity.json)
}

/** The state of a type that must be there. */
export async function stateOf(storage: Store, type: string): Promise<TypeState> {
  const state = (await storage.types()).get(type)
  if (!state) throw new Error(`${type} is not among the versions`)
  return state
}

/** Numbers that look random and are the same in every run: from 0 up to, not including, `below`. */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Every change after a place, read in pages of `limit`. */
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

/** A change in words: what happened, and to which entity. */
export function shown({ type, id, entity }: Change): string {
  return `${entity ? 'put' : 'delete'} ${type.slice('sol:'.length)} ${id}`
}

/** Waits until a deletion is forgotten: engines do that in the background after a write. */
export async function forgotten(storage: Store, key: string): Promise<void> {
  const isThere = async () =>
    (await walked(storage, 100)).some(({ type, id, entity }) => !entity && `${type} ${id}` === key)
  for (const deadline = Date.now() + 5_000; await isThere(); ) {
    assert.ok(Date.now() < deadline, `${key} is still remembered`)
    await new Promise((resume) => setImmediate(resume))
  }
}
