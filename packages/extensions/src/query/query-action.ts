/** The action `worldwright:query`, which answers precise queries page by page (decisions 9). */
import type { Entity, EntityRef, JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Action, ActionContext, World } from '@worldwright/core'
import { cursorFromPlace, entitiesJson, placeFromCursor, SEARCH_BUDGET_MS } from '@worldwright/core'
import { type Found, type StoredEntity, StoreFault } from '@worldwright/core/store'
import { facetJson } from './facet-json.ts'
import { groupsJson } from './group-json.ts'
import { included } from './included.ts'
import { withJoined } from './joined-fields.ts'
import { projected } from './projection.ts'
import { fitsOrder, orderOf, scopeOf } from './query-cursor.ts'
import type { OffsetReader } from './query-offset.ts'
import { INPUT_SCHEMA, OUTPUT_SCHEMA } from './query-schemas.ts'
import { QUERY_ACTION, type Question, readQuestion, typesRead } from './read-input.ts'

const QUERY: Omit<Action, 'call'> = {
  description: {
    name: QUERY_ACTION,
    title: 'Query',
    description:
      'Finds entities by conditions, in any order, and computes facets, groups and measures of them.',
    safe: true,
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
  },
  errors: ['invalid_cursor', 'entity_not_found'],
  reads: typesRead,
}

/** Creates the action of the extension `worldwright:query`. */
export function queryAction(readOffset: OffsetReader): Action {
  return {
    ...QUERY,
    async call(input, context) {
      const question = readQuestion(input, await context.world.types())
      const offsetOf = await readOffset(context)
      const page = await answerPage(question, context)
      const hasTypes = Array.isArray(input['types']) && input['types'].length > 0
      const offset = offsetOf(page, hasTypes ? question.types : undefined)
      return { output: await outputOf(question, { ...page, offset }, context), warnings: [] }
    },
  }
}

/** Page of a query's results. */
export interface QueryPage extends Found {
  readonly nextCursor: string | undefined
  /** Token of the change log; absent if the world serves none. */
  readonly offset?: string | undefined
}

/**
 * Returns the page of results at the query's cursor.
 * @throws WorldFault `invalid_cursor`; `entity_not_found` and `damaged` for the entity named by `similar`; StoreFault
 * `unsupported` if the source forms no groups
 */
export async function answerPage(
  question: Question,
  {
    world,
    client,
    position,
    signal,
  }: Pick<ActionContext, 'world' | 'client' | 'position'> & {
    readonly signal?: AbortSignal | undefined
  },
): Promise<QueryPage> {
  const scope = scopeOf(world.description.id, question)
  const { types, text, similar, where, facets, group, limit, cursor } = question
  const sort = orderOf(question)
  const after =
    cursor === undefined ? undefined : placeFromCursor(scope, cursor, (values) => fitsOrder(question, values))
  if (similar) await world.get(similar.type, similar.id, { signal })
  const counted = { ...(facets.length > 0 && { facets }), ...(group && { group }) }
  const asked = { types, text, similar, where, sort, after, limit, ...counted }
  const found = await world.find({ ...asked, budgetMs: SEARCH_BUDGET_MS, client, position, signal })
  if (group && !found.groups) throw new StoreFault('unsupported', 'The search of this world forms no groups.')
  const nextCursor = found.last && cursorFromPlace(scope, found.last)
  return { ...found, partial: found.partial || found.groups?.partial === true, nextCursor }
}

async function outputOf(
  question: Question,
  page: QueryPage,
  { world, signal }: ActionContext,
): Promise<string> {
  const { limit, include, facets, group, matchedIn } = question
  const numbers: JsonObject = {
    limit,
    total: page.total,
    counts: { ...page.counts },
    ...(page.totalIsLowerBound && { totalIsLowerBound: true }),
    ...(page.partial && { partial: true }),
    matched: [...page.matched],
    ...(page.offset !== undefined && { offset: page.offset }),
    ...(matchedIn && { matchedIn: await world.matchedIn(page) }),
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    ...(page.facets && {
      facets: facets.map((facet, index) => facetJson(facet, page.facets?.[index] ?? EMPTY)),
    }),
    ...(group && page.groups && groupsJson(group, page.groups)),
    ...(page.unindexed !== undefined && { unindexed: page.unindexed }),
  }
  const along = await alongOf(world, page.hits, include, signal)
  const shown = await shownHits(world, page.hits, question, signal)
  const damaged = [...(page.damaged ?? []), ...along.damaged, ...shown.damaged].map(
    ({ type, id }): JsonValue => ({ type, id }),
  )
  const members = {
    ...numbers,
    ...((shown.more || along.more) && { includedMore: true }),
    ...(damaged.length > 0 && { damaged }),
  }
  return `{"entities":${shown.json}${along.json},${JSON.stringify(members).slice(1)}`
}

const EMPTY = { present: 0, absent: 0, buckets: [] }

/** Entities of an answer as JSON, with what is absent from it. */
interface Shown {
  readonly json: string
  readonly damaged: readonly EntityRef[]
  readonly more: boolean
}

/** Returns the entities of a page as JSON, reduced to the requested fields. */
async function shownHits(
  world: World,
  hits: readonly StoredEntity[],
  { fields, joinedFields }: Question,
  signal: AbortSignal,
): Promise<Shown> {
  if (fields === undefined) return { json: entitiesJson(hits), damaged: [], more: false }
  const page = hits.map(({ json }): Entity => JSON.parse(json))
  const own = page.map((entity) => projected(entity, fields))
  if (joinedFields.length === 0) return { json: JSON.stringify(own), damaged: [], more: false }
  const { entities, ...rest } = await withJoined(world, page, own, joinedFields, signal)
  return { json: JSON.stringify(entities), ...rest }
}

async function alongOf(
  world: World,
  hits: readonly StoredEntity[],
  include: Question['include'],
  signal: AbortSignal,
): Promise<Shown> {
  if (include.length === 0) return { json: '', damaged: [], more: false }
  const page = hits.map(({ json }): Entity => JSON.parse(json))
  const paths = include.map((names) => ({ reference: names as [string, ...string[]] }))
  const { entities, missing, damaged, more } = await included(world, page, paths, signal)
  const nowhere = missing.length > 0 ? `,"missing":${JSON.stringify(missing)}` : ''
  return { damaged, more, json: `,"included":${entitiesJson(entities)}${nowhere}` }
}
