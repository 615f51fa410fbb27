/** Collects the entities that a page of entities references, one level deep and without duplicates. */
import { type Entity, type EntityRef, isObject, type JsonValue } from '@worldwright/client/protocol'
import { MAX_PAGE_BYTES, type World, WorldFault } from '@worldwright/core'
import { type StoredEntity, StoreFault, utf8Length } from '@worldwright/core/store'
import { QUERY_MAX_INCLUDED } from './limits.ts'
import { valuesAt } from './projection.ts'

/** Targets of the references on a page. */
export interface Included {
  readonly entities: readonly StoredEntity[]
  /** References to entities that do not exist. */
  readonly missing: readonly EntityRef[]
  /** References to damaged entities. */
  readonly damaged: readonly EntityRef[]
  /** True if there are more targets than fit in one response. */
  readonly more: boolean
}

/** Follows the references at `paths`, in order of appearance. Omits entities that are on the page itself. */
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

/** Error codes that indicate a dangling reference. Data may name types and ids that do not exist. */
const NOTHING_THERE = new Set(['entity_not_found', 'unknown_type', 'invalid_type', 'invalid_id'])

async function read(
  world: World,
  { type, id }: EntityRef,
  signal: AbortSignal,
): Promise<StoredEntity | 'missing' | 'damaged'> {
  try {
    return await world.get(type, id, { signal })
  } catch (error) {
    if (error instanceof StoreFault && error.code === 'damaged') return 'damaged'
    if (error instanceof WorldFault && NOTHING_THERE.has(error.code)) return 'missing'
    throw error
  }
}

function keyOf({ type, id }: EntityRef): string {
  return `${type} ${id}`
}
