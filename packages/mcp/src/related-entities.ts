/** The tool `related_entities`: references of an entity, and those to it. */
import type { AnyTypes, QueryInput } from '@worldwright/client'
import { type Entity, type EntityRef, visitReferences } from '@worldwright/client/protocol'
import type { Answer } from './answer.ts'
import { hitText } from './search.ts'
import { addressText, callText, quoted, word } from './text.ts'
import { type Asked, placeAfter, placeOf, TEXTS, type Tool, textsOf } from './tool.ts'

/** Maximum number of own references that are listed. */
const MAX_OWN = 40
/** Number of referrers on a page. */
const LIMIT = 50

/** Lists what an entity refers to, and what refers to it. */
export const relatedEntities: Tool = {
  name: 'related_entities',
  description: 'What an entity refers to, and what refers to it.',
  properties: {
    type: { type: 'string' },
    id: { type: 'string' },
    types: { ...TEXTS, description: 'of referrers' },
    fields: TEXTS,
    cursor: { type: 'string' },
  },
  required: ['type', 'id'],
  isSafe: true,
  answer: related,
}

async function related(asked: Asked): Promise<Answer> {
  const { on, args, signal } = asked
  const target = { type: String(args['type']), id: String(args['id']) }
  const entity = await on.world.get(target.type, target.id, { signal })
  const place = placeOf(args['cursor'])
  const isFirst = args['cursor'] === undefined
  const { entities, nextCursor, head } = await (on.hasQuery ? referrers : guessedReferrers)(
    asked,
    entity,
    place.cursor,
  )
  const own = isFirst ? await ownReferences(asked, entity) : []
  const fields = textsOf(args['fields'])
  const rows = [
    ...own,
    ...entities
      .slice(place.skip)
      .map(
        (one) =>
          `${pathsTo(one, target).join(', ')} ← ${hitText(one, fields.length > 0 ? fields : ['title'])}`,
      ),
  ]
  return {
    head: [`${addressText(target)}: ${own.length} references of its own (→); ${head}`],
    rows,
    tail(shown) {
      const cursor = placeAfter(place, Math.max(0, shown - own.length), entities.length, nextCursor)
      return cursor === undefined ? [] : [`More: ${callText('related_entities', { ...args, cursor })}`]
    },
  }
}

/** Lists the references of an entity by property, with titles if the world answers queries. */
async function ownReferences({ on, signal }: Asked, entity: Entity): Promise<string[]> {
  const found: { path: string; to: EntityRef }[] = []
  visitReferences({ ...entity.attributes }, (to, pointer) => found.push({ path: nameOf(pointer), to }))
  const titles = new Map<string, string>()
  const shown = found.slice(0, MAX_OWN)
  if (on.hasQuery && shown.length > 0) {
    const types = [...new Set(shown.map(({ to }) => to.type))]
    const where = { op: 'in', args: [{ property: 'id' }, [...new Set(shown.map(({ to }) => to.id))]] }
    const input = { types, where, fields: ['title'], limit: 200 } as QueryInput<AnyTypes>
    const page = await on.world.query(input, { signal }).page()
    for (const { title, ...one } of page.entities)
      if (title !== undefined) titles.set(addressText(one), title)
  }
  return shown.map(({ path, to }) => {
    const title = titles.get(addressText(to))
    return `${word(path)} → ${addressText(to)}${title === undefined ? '' : ` ${quoted(title, 100)}`}`
  })
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
  const input = {
    types: textsOf(args['types']),
    where: { op: 'refersTo', args: [{ type, id }] },
    limit: LIMIT,
    ...(cursor === undefined ? { facets: [{ referrers: { type, id } }] } : { cursor }),
  } as QueryInput<AnyTypes>
  const { entities, nextCursor, total, facets } = await on.world.query(input, { signal }).page()
  const kinds = (facets?.[0]?.buckets ?? []).map(
    (one) => `${word(`${one.type}`)} ${[one.property ?? ''].flat().join('.')} ${one.count}`,
  )
  return {
    entities,
    nextCursor,
    head: `${total} entities refer to it (←)${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}`,
  }
}

/** Searches for the title, as Level 1 finds no references. Entities that refer without naming it are missed. */
async function guessedReferrers(
  { on, args, signal }: Asked,
  entity: Entity,
  cursor?: string,
): Promise<Referrers> {
  const { type, id, title } = entity
  const types = textsOf(args['types'])
  const input = {
    text: title ?? id,
    ...(types.length > 0 && { types }),
    limit: 100,
    ...(cursor !== undefined && { cursor }),
  }
  const found = await on.world.discover(input, { signal })
  const entities = found.entities.filter((one) => pathsTo(one, { type, id }).length > 0)
  return {
    entities,
    nextCursor: found.nextCursor,
    head: `${entities.length} of the ${found.entities.length} entities found by ${quoted(title ?? id, 60)} refer to it (←). This world answers no queries, so there may be more`,
  }
}

/** Returns the properties through which an entity refers to another. */
function pathsTo({ attributes }: Entity, { type, id }: EntityRef): string[] {
  const paths = new Set<string>()
  visitReferences({ ...attributes }, (to, pointer) => {
    if (to.type === type && to.id === id) paths.add(nameOf(pointer))
  })
  return [...paths].map((path) => word(path))
}

/** Returns the names in a JSON Pointer, without indexes of lists. */
function nameOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .filter((step) => !/^\d+$/.test(step))
    .join('.')
}
