/**
 * Persistent sorted list of the entities of one type, by id: every write creates a new value that shares nearly everything
 * with the old one. A snapshot only has to keep the old value.
 */

import { compareUtf8 } from './compare-utf8.ts'
import type { StoredEntity } from './contract.ts'

/** Ascending chunks of ascending entities, none of them empty. */
export type Sorted = readonly (readonly StoredEntity[])[]

/** Maximum entities in a chunk before it is split: bounds what one write copies. */
const MAX_CHUNK = 256

/** Returns the entity with this id; undefined if there is none. */
export function find(sorted: Sorted, id: string): StoredEntity | undefined {
  const chunk = sorted[chunkOf(sorted, id)] ?? []
  const entity = chunk[position(chunk, id)]
  return entity?.id === id ? entity : undefined
}

/** Returns up to `limit` entities with ids after `after`, or from the first on if it is absent. */
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

/** Returns the list with this entity, replacing one of the same id. */
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

/** Returns the list without the entity of this id. */
export function withoutEntity(sorted: Sorted, id: string): Sorted {
  const at = chunkOf(sorted, id)
  const chunk = sorted[at] ?? []
  const rest = chunk.filter((entity) => entity.id !== id)
  return rest.length ? sorted.with(at, rest) : sorted.toSpliced(at, 1)
}

/** Returns the index of the chunk that holds or would hold an id: the last that does not begin after it, else the first. */
function chunkOf(sorted: Sorted, id: string): number {
  const later = partition(sorted.length, (index) => compareUtf8(sorted[index]?.[0]?.id ?? '', id) > 0)
  return Math.max(0, later - 1)
}

/** Returns the index in a chunk at which an id is or would be. */
function position(chunk: readonly StoredEntity[], id: string): number {
  return partition(chunk.length, (index) => compareUtf8(chunk[index]?.id ?? '', id) >= 0)
}

/** Binary search: returns the first index for which the monotonic predicate `holds`; `length` if there is none. */
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
