/** Answers queries over entities that were read from a world that answers none. */
import { type Entity, type EntityTypeDescription, isObject } from '@worldwright/client/protocol'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { SchemaInference } from '@worldwright/entities/infer-schema'
import { memorySearch } from '@worldwright/search/entities'
import { query } from '../query/index.ts'

/** Entities as JSON, by type and id, with the descriptions that their world gives of types. */
export interface ReadEntities {
  readonly id: string
  readonly origin: string
  readonly types: readonly { readonly type: string; readonly title?: unknown; readonly schema?: unknown }[]
  readonly lines: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Returns the handler of a world in memory that has these entities. */
export async function queriedWorld(read: ReadEntities): Promise<(request: Request) => Promise<Response>> {
  const store = createMemoryStore({ search: memorySearch })
  const { position } = await store.changes({ limit: 0 })
  const following = await store.follow?.()
  // Written as by a replica, so that the entities keep their times.
  for (const [type, of] of read.lines)
    for (const [id, json] of of) {
      const { revision = '' }: Entity = JSON.parse(json)
      await following?.add([{ type, id, position, entity: { type, id, revision, json } }])
    }
  await following?.commit({ position, earliest: position, versions: new Map() })
  const { id, origin: publicUrl } = read
  return toFetch(createWorld({ id, types: typesOf(read), publicUrl, store, extensions: [query()] }))
}

/** Describes the types with the schemas that the world declares, or else with schemas inferred from the entities. */
export function typesOf({ types, lines }: Pick<ReadEntities, 'types' | 'lines'>): EntityTypeDescription[] {
  return [...lines].map(([type, of]) => {
    const { title, schema: own } = types.find((one) => one.type === type) ?? {}
    const about = { type, ...(typeof title === 'string' && { title }) }
    if (isObject(own) && ['properties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((name) => name in own))
      return { ...about, schema: own }
    const inference = new SchemaInference()
    for (const line of of.values()) inference.add(JSON.parse(line).attributes)
    return { ...about, schema: inference.schema() }
  })
}
