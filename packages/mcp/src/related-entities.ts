/** The tool `related_entities`: references of an entity, and those to it. */
import type { AnyTypes, QueryInput } from '@worldwright/client'
import { type Entity, type EntityRef, pointerSteps, visitReferences } from '@worldwright/client/protocol'
import type { Answer } from './answer.ts'
import { hitText } from './search.ts'
import { addressText, callText, quoted, valueText, word } from './text.ts'
import { type Asked, cursorAfter, placeOf, TEXT, TEXTS, type Tool, textsOf } from './tool.ts'

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
  const target = { type: String(args['type']), id: String(args['id']) }
  const entity = await on.world.get(target.type, target.id, { signal })
  const place = placeOf(args['cursor'])
  const own = args['cursor'] === undefined ? referencesIn(entity) : []
  const { entities, nextCursor, head } = await (on.hasQuery ? referrers : guessedReferrers)(
    asked,
    entity,
    place,
  )
  const named = textsOf(args['fields'])
  const fields = named.length > 0 ? named : ['title']
  const paths = (one: Entity) =>
    referencesIn(one)
      .filter(({ to }) => to.type === target.type && to.id === target.id)
      .map(({ path }) => path)
  return {
    head: `${addressText(target)}: ${own.length} references of its own (→); ${head}`,
    rows: [
      ...own.map(({ path, to }) => `${path} → ${addressText(to)}`),
      ...entities
        .slice(place.skip)
        .map((one) => `${[...new Set(paths(one))].join(', ')} ← ${hitText(one, fields)}`),
    ],
    tail(shown) {
      const cursor = cursorAfter(place, Math.max(0, shown - own.length), entities.length, nextCursor)
      return [cursor !== undefined && `More: ${callText('related_entities', { ...args, cursor })}`]
    },
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
  { cursor }: { cursor?: string },
): Promise<Referrers> {
  const where = { op: 'refersTo', args: [{ type, id }] }
  const facets = [{ referrers: { type, id } }]
  const types = textsOf(args['types'])
  const input = { types, where, ...(cursor === undefined ? { facets } : { cursor }) } as QueryInput<AnyTypes>
  const {
    entities,
    nextCursor,
    total,
    facets: [counted] = [],
  } = await on.world.query(input, { signal }).page()
  const kinds = (counted?.buckets ?? []).map(({ type, property, count }) =>
    [type, property, count].map((one) => valueText(one)).join(' '),
  )
  return { entities, nextCursor, head: [`${valueText(total)} entities refer to it (←)`, ...kinds].join(', ') }
}

/** Searches for the title, as Level 1 finds no references. Entities that refer without naming it are missed. */
async function guessedReferrers(
  { on, args, signal }: Asked,
  { type, id, title }: Entity,
  { cursor }: { cursor?: string },
): Promise<Referrers> {
  const text = title ?? id
  const input = { text, types: textsOf(args['types']), limit: 100, ...(cursor !== undefined && { cursor }) }
  const { entities: found, nextCursor } = await on.world.discover(input, { signal })
  const entities = found.filter((one) => referencesIn(one).some(({ to }) => to.type === type && to.id === id))
  const head = `${entities.length} of ${found.length} entities found by ${quoted(text, 60)} refer to it (←). This world answers no queries, so there may be more.`
  return { entities, nextCursor, head }
}

/** Returns the references of an entity, with the names of the property that holds each. */
function referencesIn({ attributes }: Entity): { path: string; to: EntityRef }[] {
  const found: { path: string; to: EntityRef }[] = []
  visitReferences({ ...attributes }, (to, pointer) => {
    const names = pointerSteps(pointer).filter((step) => !/^\d+$/.test(step))
    found.push({ path: word(names.join('.')), to })
  })
  return found
}
