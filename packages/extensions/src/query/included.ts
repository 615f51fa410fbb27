/** Collects the entities that a page of entities references, one level deep and without duplicates. */
import { type Entity, type EntityRef, isObject, type JsonValue } from '@worldwright/client/protocol'
import { MAX_PAGE_BYTES, type World, WorldFault } from '@worldwright/core'
import { type JoinedPath, type StoredEntity, StoreFault, utf8Length } from '@worldwright/core/store'
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

/** Path of references, as in a `JoinedPath`. */
export type ReferencePath = Omit<JoinedPath, 'property'>

/** Follows the references at `paths`, in order of appearance. Omits entities that are on the page itself. */
export async function included(
  world: World,
  page: readonly Entity[],
  paths: readonly ReferencePath[],
  signal: AbortSignal,
): Promise<Included> {
  const onPage = new Set(page.map(referenceKey))
  const references = page.flatMap((entity) => paths.flatMap((path) => referencesAt(entity, path)))
  const wanted = [...new Map(references.map((one) => [referenceKey(one), one])).values()].filter(
    (reference) => !onPage.has(referenceKey(reference)),
  )
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

/** Returns the references of an entity at a path, in order. */
export function referencesAt(
  { attributes }: Entity,
  { reference, types, texts }: ReferencePath,
): EntityRef[] {
  return valuesAt(attributes, reference).flatMap((value) => {
    if (typeof value === 'string') return texts === undefined ? [] : { type: texts, id: value }
    const found = referenceIn(value)
    return found && types?.includes(found.type) !== false ? found : []
  })
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

/** Returns the key of a reference in maps. */
export function referenceKey({ type, id }: EntityRef): string {
  return `${type} ${id}`
}
