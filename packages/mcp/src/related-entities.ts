import type { AnyTypes, QueryInput } from '@worldwright/client'
import {
  type Entity,
  type EntityRef,
  type JsonObject,
  pointerSteps,
  visitReferences,
} from '@worldwright/client/protocol'
import type { Answer } from './answer.ts'
import { hitText } from './search.ts'
import { addressText, number, parts, quoted, valueText, word } from './text.ts'
import { type Asked, moreText, placeOf, TEXT, TEXTS, type Tool, textsOf } from './tool.ts'

/** Lists what an entity refers to, and what refers to it. */
export const relatedEntities: Tool = {
  name: 'related_entities',
  description: 'What an entity refers to, and what refers to it.',
  properties: {
    type: TEXT,
    id: TEXT,
    types: { ...TEXTS, description: 'of referrers' },
    fields: TEXTS,
    cursor: TEXT,
  },
  required: ['type', 'id'],
  answer: related,
}

async function related(asked: Asked): Promise<Answer> {
  const { on, args, signal } = asked
  const entity = await on.world.get(String(args['type']), String(args['id']), { signal })
  const { skip, cursor } = placeOf(args['cursor'])
  const page = await (on.hasQuery ? referrers : guessedReferrers)(asked, entity, cursor)
  // References of its own come before the first page of referrers.
  const own = cursor === undefined ? referencesIn(entity) : []
  const fields = textsOf(args['fields'])
  const referrerText = (one: Entity) => {
    const paths = referencesIn(one, args).map(({ path }) => path)
    return `${[...new Set(paths)].join(', ')} ← ${hitText(one, fields.length > 0 ? fields : ['title'])}`
  }
  const rows = [
    ...own.map(({ path, to }) => `${path} → ${addressText(to)}`),
    ...page.entities.map(referrerText),
  ]
  return {
    head: `${addressText(entity)}: ${cursor === undefined ? `${own.length} references of its own (→); ` : ''}${page.head}`,
    rows: rows.slice(skip),
    tail: (shown) => [moreText(args, { ...page, entities: rows }, shown)],
  }
}

interface Referrers {
  readonly entities: readonly Entity[]
  readonly nextCursor?: string | undefined
  readonly head: string
}

async function referrers(
  { on, args, signal }: Asked,
  { type, id }: Entity,
  cursor?: string,
): Promise<Referrers> {
  const where = { op: 'refersTo', args: [{ type, id }] }
  const counted = { facets: [{ referrers: { type, id } }] }
  const types = textsOf(args['types'])
  const input = { types, where, ...(cursor === undefined ? counted : { cursor }) } as QueryInput<AnyTypes>
  const { entities, nextCursor, total, facets } = await on.world.query(input, { signal }).page()
  const kinds = (facets?.[0]?.buckets ?? []).map(({ type, property, count }) =>
    parts(valueText(type, 60), valueText(property, 60), number(count)),
  )
  return { entities, nextCursor, head: [`${number(total)} entities refer to it (←)`, ...kinds].join(', ') }
}

/** Searches for the title, as Level 1 finds no references. Entities that refer without naming it are missed. */
async function guessedReferrers(
  { on, args, signal }: Asked,
  { type, id, title }: Entity,
  cursor?: string,
): Promise<Referrers> {
  const text = title ?? id
  const input = { text, types: textsOf(args['types']), limit: 100, ...(cursor !== undefined && { cursor }) }
  const { entities: found, nextCursor } = await on.world.discover(input, { signal })
  const entities = found.filter((one) => referencesIn(one, { type, id }).length > 0)
  const head = `${entities.length} of ${found.length} entities found by ${quoted(text, 60)} refer to it (←). This world answers no queries, so there may be more.`
  return { entities, nextCursor, head }
}

/** Returns the references of an entity, or those to one other, with the names of the property that holds each. */
function referencesIn({ attributes }: Entity, target?: JsonObject | EntityRef) {
  const found: { path: string; to: EntityRef }[] = []
  visitReferences({ ...attributes }, (to, pointer) => {
    const names = pointerSteps(pointer).filter((step) => !/^\d+$/.test(step))
    if (!target || (to.type === target.type && to.id === target.id))
      found.push({ path: word(names.join('.')), to })
  })
  return found
}
