/** Values that attributes of a type have: counts, ranges and examples. */
import { propertiesIn } from '@worldwright/client/query'
import type { Attribute } from './agent-world.ts'
import { number, valueText } from './text.ts'
import type { Asked } from './tool.ts'

/** Values of an attribute, as far as they were counted or read. */
export interface Seen {
  /** Number of entities with the attribute. Absent if only some entities were read. */
  readonly count?: number | undefined
  /** Least and greatest number. */
  readonly range?: string | undefined
  readonly examples: readonly unknown[]
}

/** Values that were seen, by attribute, and the number of entities of the type. */
interface SeenOfType {
  readonly total: number | undefined
  readonly values: ReadonlyMap<string, Seen>
}

const MAX_EXAMPLES = 3
/** Number of facets in one query, as worlds of this project allow, and maximum number of attributes that are counted. */
const [FACETS, MAX_COUNTED] = [16, 64]
/** Number of entities read of a world that answers no queries. */
const SAMPLE = 20

/** Returns the number of entities of a type, and what was seen of its attributes: of all entities, or of the first ones. */
export async function seenOf(
  asked: Asked,
  type: string,
  declared: readonly Attribute[],
): Promise<SeenOfType> {
  if (!asked.on.hasQuery) return sampled(asked, type)
  // Worlds refuse a property without a name.
  const named = declared.filter(({ name }) => name !== '')
  try {
    return await counted(asked, type, named)
  } catch (error) {
    // Some attributes cannot be counted, such as objects. The error names those that can.
    const names = new Set(propertiesIn(error).map((path) => [path].flat().join('.')))
    const rest = await sampled(asked, type)
    const some = named.filter(({ name }) => names.has(name))
    const { total, values } = await counted(asked, type, some).catch(() => rest)
    return { total, values: new Map([...rest.values, ...values]) }
  }
}

async function counted(
  { on, signal }: Asked,
  type: string,
  declared: readonly Attribute[],
): Promise<SeenOfType> {
  const values = new Map<string, Seen>()
  let total: number | undefined
  for (let at = 0; at === 0 || at < Math.min(declared.length, MAX_COUNTED); at += FACETS) {
    const some = declared.slice(at, at + FACETS)
    const facets = some.map(({ name, kind }) => ({
      property: [name],
      ...(/^(number|integer)$/.test(kind) ? { histogram: 1 } : { limit: MAX_EXAMPLES }),
    }))
    const page = await on.world.query({ types: [type], limit: 0, facets }, { signal }).page()
    total = page.total
    for (const [index, { present: count, minimum, maximum, buckets }] of (page.facets ?? []).entries()) {
      const range = minimum !== undefined && `${number(minimum)}…${number(maximum)}`
      const examples = buckets.flatMap(({ value }) => value ?? [])
      values.set(some[index]?.name ?? '', range ? { count, range, examples: [] } : { count, examples })
    }
  }
  return { total, values }
}

async function sampled({ on, signal }: Asked, type: string): Promise<SeenOfType> {
  const { entities, total } = await on.world.list(type, { limit: SAMPLE }, { signal })
  const values = new Map<string, Seen>()
  for (const [name, value] of entities.flatMap(({ attributes }) => Object.entries({ ...attributes }))) {
    const examples = values.get(name)?.examples ?? []
    if (examples.length < MAX_EXAMPLES && !examples.some((one) => valueText(one) === valueText(value)))
      values.set(name, { examples: [...examples, value] })
  }
  return { total, values }
}
