/**
 * Persistent list of the entities of one type, sorted by id. Every write creates a new list that shares most chunks with
 * the old one, so a snapshot only has to keep a reference to the old list.
 */
import { compareUtf8 } from './compare-utf8.ts'
import type { StoredEntity } from './contract.ts'

/** Non-empty chunks of entities, all in ascending order of id. */
export type Sorted = readonly (readonly StoredEntity[])[]

/** Maximum number of entities in a chunk, which bounds the copying per write. */
const MAX_CHUNK = 256

/** Returns the entity with this id, or undefined if there is none. */
export function find(sorted: Sorted, id: string): StoredEntity | undefined {
  const chunk = sorted[chunkOf(sorted, id)] ?? []
  const entity = chunk[position(chunk, id)]
  return entity?.id === id ? entity : undefined
}

/** Returns up to `limit` entities with ids after `after`, or the first entities if `after` is undefined. */
export function entitiesAfter(sorted: Sorted, after: string | undefined, limit: number): StoredEntity[] {
  const page: StoredEntity[] = []
  for (let at = after === undefined ? 0 : chunkOf(sorted, after); page.length < limit; at++) {
    const chunk = sorted[at]
    if (!chunk) break
    let start = after === undefined ? 0 : position(chunk, after)
    if (chunk[start]?.id === after) start++
    page.push(...chunk.slice(start, start + limit - page.length))
  }
  return page
}

/** Returns the list with an entity added, replacing any entity with the same id. */
export function withEntity(sorted: Sorted, entity: StoredEntity): Sorted {
  const at = chunkOf(sorted, entity.id)
  const chunk = sorted[at]
  if (!chunk) return [[entity]]
  const index = position(chunk, entity.id)
  const replaced = chunk[index]?.id === entity.id ? 1 : 0
  const next = chunk.toSpliced(index, replaced, entity)
  if (next.length <= MAX_CHUNK) return sorted.with(at, next)
  const middle = next.length >> 1
  return sorted.toSpliced(at, 1, next.slice(0, middle), next.slice(middle))
}

/** Returns the list without the entity with this id. */
export function withoutEntity(sorted: Sorted, id: string): Sorted {
  const at = chunkOf(sorted, id)
  const chunk = sorted[at] ?? []
  const rest = chunk.filter((entity) => entity.id !== id)
  return rest.length ? sorted.with(at, rest) : sorted.toSpliced(at, 1)
}

/** Returns the index of the chunk for an id: the last chunk that does not begin after the id, or else the first. */
function chunkOf(sorted: Sorted, id: string): number {
  const later = partition(sorted.length, (index) => compareUtf8(sorted[index]?.[0]?.id ?? '', id) > 0)
  return Math.max(0, later - 1)
}

/** Returns the index of an id in a chunk, or its insertion point. */
function position(chunk: readonly StoredEntity[], id: string): number {
  return partition(chunk.length, (index) => compareUtf8(chunk[index]?.id ?? '', id) >= 0)
}

/** Binary search. Returns the first index for which the monotonic predicate holds, or `length` if there is none. */
function partition(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
