/** Values that attributes of a type have: counts, ranges and examples. */
import type { FacetBucket } from '@worldwright/client'
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { Attribute } from './agent-world.ts'
import { valueText } from './text.ts'
import type { Asked } from './tool.ts'

/** What was seen of an attribute. */
export interface Seen {
  /** Number of entities with the attribute. Absent if only some entities were read. */
  readonly count?: number | undefined
  /** Least and greatest value. */
  readonly range?: string | undefined
  readonly examples: readonly JsonValue[]
}

/** Maximum number of examples of an attribute. */
const MAX_EXAMPLES = 3
/** Number of facets in one query, as worlds of this project allow. */
const FACETS = 16
/** Maximum number of attributes that are counted. */
const MAX_COUNTED = 64
/** Number of entities read of a world that answers no queries. */
const SAMPLE = 20

/** Returns the number of entities of a type, and what was seen of its attributes. */
export async function seenOf(
  asked: Asked,
  type: string,
  declared: readonly Attribute[],
): Promise<{ total: number | undefined; values: Map<string, Seen> }> {
  return asked.on.hasQuery ? counted(asked, type, declared) : sampled(asked, type)
}

/** Counts over all entities of the type. */
async function counted({ on, signal }: Asked, type: string, declared: readonly Attribute[]) {
  const values = new Map<string, Seen>()
  let total: number | undefined
  for (let at = 0; at === 0 || at < Math.min(declared.length, MAX_COUNTED); at += FACETS) {
    const asked = declared.slice(at, at + FACETS)
    const facets = asked.map(facetOf)
    const page = await on.world.query({ types: [type], limit: 0, facets }, { signal }).page()
    total = page.total
    for (const [index, { present, minimum, maximum, buckets }] of (page.facets ?? []).entries())
      values.set(asked[index]?.name ?? '', {
        count: present,
        range:
          minimum === undefined || minimum === maximum
            ? undefined
            : `${valueText(minimum)}…${valueText(maximum)}`,
        examples: minimum === undefined ? buckets.map(exampleIn) : [],
      })
  }
  return { total, values }
}

/** Asks for the range of numbers, and for the most frequent of other values. */
function facetOf({ name, kind }: Attribute) {
  const property = [name]
  return /^(number|integer)$/.test(kind) ? { property, histogram: 1 } : { property, limit: MAX_EXAMPLES }
}

function exampleIn({ value }: FacetBucket): JsonValue {
  return (value ?? '') as JsonValue
}

/** Reads the first entities of the type, of which there may be more. */
async function sampled({ on, signal }: Asked, type: string) {
  const { entities, total } = await on.world.list(type, { limit: SAMPLE }, { signal })
  const values = new Map<string, Seen>()
  for (const { attributes } of entities)
    for (const [name, value] of Object.entries(isObject(attributes) ? attributes : {})) {
      const examples = values.get(name)?.examples ?? []
      const isNew = !examples.some((one) => valueText(one) === valueText(value))
      if (isNew && examples.length < MAX_EXAMPLES) values.set(name, { examples: [...examples, value] })
    }
  return { total: typeof total === 'number' ? total : undefined, values }
}
