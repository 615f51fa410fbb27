/** Entities included because those on a page refer to them: one level deep, each once. */
import { type Entity, type EntityRef, isObject, type JsonValue } from '@worldwright/client/protocol'
import type { World } from '@worldwright/core'
import { MAX_PAGE_BYTES, QUERY_MAX_INCLUDED, WorldFault } from '@worldwright/core'
import { StorageFault, type StoredEntity, utf8Length } from '@worldwright/core/store'
import { valuesAt } from './projection.ts'

/** The targets of the references on a page. */
export interface Included {
  readonly entities: readonly StoredEntity[]
  /** References to entities that do not exist. */
  readonly missing: readonly EntityRef[]
  /** References to damaged entities. */
  readonly damaged: readonly EntityRef[]
  /** There are more than one answer holds. */
  readonly more: boolean
}

/** Follows the references at these paths, in order of appearance. Omits entities that are on the page. */
export async function included(
  world: World,
  page: readonly Entity[],
  paths: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<Included> {
  const wanted = referencesIn(page, paths)
  const entities: StoredEntity[] = []
  const missing: EntityRef[] = []
  const damaged: EntityRef[] = []
  let bytes = 0
  for (const [index, reference] of wanted.entries()) {
    signal.throwIfAborted()
    if (index >= QUERY_MAX_INCLUDED) return { entities, missing, damaged, more: true }
    const found = await read(world, reference, signal)
    if (found === 'missing') missing.push(reference)
    else if (found === 'damaged') damaged.push(reference)
    else {
      bytes += utf8Length(found.json)
      if (bytes > MAX_PAGE_BYTES) return { entities, missing, damaged, more: true }
      entities.push(found)
    }
  }
  return { entities, missing, damaged, more: false }
}

function referencesIn(page: readonly Entity[], paths: readonly (readonly string[])[]): EntityRef[] {
  const onPage = new Set(page.map(keyOf))
  const wanted = new Map<string, EntityRef>()
  for (const { attributes } of page) {
    for (const value of paths.flatMap((path) => valuesAt(attributes, path))) {
      const reference = referenceIn(value)
      if (reference && !onPage.has(keyOf(reference))) wanted.set(keyOf(reference), reference)
    }
  }
  return [...wanted.values()]
}

function referenceIn(value: JsonValue): EntityRef | undefined {
  if (!isObject(value) || Object.keys(value).length !== 2) return undefined
  const { type, id } = value
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined
}

/** Error codes of dangling references: data may name types and ids that no world has. */
const NOTHING_THERE = new Set(['entity_not_found', 'unknown_type', 'invalid_type', 'invalid_id'])

async function read(
  world: World,
  { type, id }: EntityRef,
  signal: AbortSignal,
): Promise<StoredEntity | 'missing' | 'damaged'> {
  try {
    return await world.get(type, id, { signal })
  } catch (error) {
    if (error instanceof StorageFault && error.code === 'damaged') return 'damaged'
    if (error instanceof WorldFault && NOTHING_THERE.has(error.code)) return 'missing'
    throw error
  }
}

function keyOf({ type, id }: EntityRef): string {
  return `${type} ${id}`
}
