/** Answers views: reads their query strictly, asks as `worldwright:query` does, and finds the words of their titles. */
import { Cql2SyntaxError, parseCql2 } from '@worldwright/client/cql2'
import type { Entity, EntityTypeDescription, FieldFault, JsonObject } from '@worldwright/client/protocol'
import { fieldsFault, type World, type WorldRequest } from '@worldwright/core'
import type { Source } from '@worldwright/core/store'
import { groupsJson } from '../query/group-json.ts'
import { KnownProperties } from '../query/known-properties.ts'
import { pathFromProperty } from '../query/property-path.ts'
import { answerPage } from '../query/query-action.ts'
import { type Question, readQuestion } from '../query/read-input.ts'
import {
  type Asked,
  groupsOf,
  isAsked,
  KINDS,
  keysOfAsked,
  misfitsOf,
  NOTHING_ASKED,
  namesOf,
  propertyOf,
  questionFrom,
  type TitleWords,
  titleOfView,
  type View,
  viewFrom,
} from '../views/index.ts'
import { entitiesIn } from './entities-in.ts'
import { titlesOf } from './entity-page.ts'
import { typeName } from './seen-text.ts'
import { pathLabels } from './values.ts'

/** Number of entities per page of a view. */
const ROW_LIMIT = 50
/** Parameters that others append to shared addresses, and which do not belong to the view. */
const TRACKING = /^(?:utm_\w+|\w*clid)$/

/** A view of a type of the world, read but not answered. */
export interface ReadView {
  readonly type: EntityTypeDescription
  readonly view: View
  /** The question in the form of `worldwright:query`. It asks for groups instead of entities if the view has any. */
  readonly question: Question
  readonly words: TitleWords
  readonly title: string
}

/** Answer to a view: a page of its entities, or its groups in the form of `worldwright:query`. */
export interface ViewAnswer {
  readonly entities: readonly Entity[]
  readonly total: number
  /** True if the search ended early, so that the numbers are lower bounds. */
  readonly isPartial: boolean
  readonly nextCursor: string | undefined
  readonly damaged: readonly string[]
  readonly groups: JsonObject | undefined
}

/**
 * Reads the query of a view. Every parameter must be understood, since ignoring one would give a wrong list. `most` is the
 * number of entities or groups to ask for, if it is not the usual one.
 * @throws WorldFault `invalid_type`, `unknown_type`; `invalid_parameter` or `invalid_input` for the query
 */
export async function readView(
  type: string,
  query: URLSearchParams,
  {
    world,
    source,
    most,
  }: { readonly world: World; readonly source: Pick<Source, 'get'>; readonly most?: number },
  signal?: AbortSignal,
): Promise<ReadView> {
  await world.requireType(type)
  const types = await world.types()
  const described = types.find((one) => one.type === type) ?? { type }
  for (const name of [...query.keys()]) if (TRACKING.test(name)) query.delete(name)
  const { view, unread } = viewFrom(query)
  const { asked = NOTHING_ASKED, cursor } = view
  const known = new KnownProperties([described], types)
  const kindOf = (key: string) => {
    const path = pathFromProperty(propertyOf(key))
    const found = path && (known.get(path) ?? known.through(path))
    if (found === undefined || !('kinds' in found)) return undefined
    return { key, kind: KINDS.find((kind) => found.kinds.has(kind)) ?? 'text', isDate: found.isDate }
  }
  const columns = Object.keys(Object(described.schema?.['properties']))
  refuse([...new Set([...unread, ...misfitsOf(view, columns, kindOf)])])
  const kinds = keysOfAsked(asked).flatMap((key) => kindOf(key) ?? [])
  const { sort = [], ...input } = questionFrom(type, asked, kinds, cqlOf(asked))
  const groups = view.view === 'summary' ? groupsOf(view, kindOf, refuse) : {}
  const rows = { sort, limit: most ?? ROW_LIMIT, ...(cursor !== undefined && { cursor }) }
  const grouped = { ...groups, limit: 0, ...(most !== undefined && { groupLimit: most }) }
  const question = readQuestion({ ...input, ...('group' in groups ? grouped : rows) }, types)
  const names = await titlesOf(input['where'] ?? null, source, { signal })
  const words: TitleWords = {
    type: typeName(described),
    label: (key) => pathLabels(namesOf(key), described.schema).join(', '),
    kind: (key) => {
      const found = kindOf(key)
      return found?.kind === 'text' && found.isDate ? 'date' : found?.kind
    },
    // Keys of titles have a space between type and id.
    entity: (text) => names.get(text.replace('/', ' ')),
  }
  return { type: described, view, question, words, title: titleOfView(view, words) }
}

/** Answers a view within the usual limits of work. @throws WorldFault `invalid_cursor` */
export async function answerView(
  { type: { type }, view, question }: ReadView,
  world: World,
  { signal, client }: Pick<WorldRequest, 'signal' | 'client'>,
): Promise<ViewAnswer> {
  // A view of everything is the list of its type, with its cursors.
  if (!isAsked(view.asked ?? NOTHING_ASKED) && question.group === undefined) {
    const { cursor } = view
    const { entities, ...page } = await world.list(type, { limit: question.limit, cursor, signal })
    return { ...page, entities: await entitiesIn(entities), isPartial: false, groups: undefined }
  }
  const page = await answerPage(question, { world, client, position: undefined, signal })
  return {
    entities: await entitiesIn(page.hits),
    total: page.total,
    isPartial: page.partial === true || page.totalIsLowerBound === true,
    nextCursor: page.nextCursor,
    damaged: (page.damaged ?? []).map(({ id }) => id),
    groups: question.group && page.groups && groupsJson(question.group, page.groups),
  }
}

function cqlOf({ cql }: Asked): JsonObject | undefined {
  if (cql.trim() === '') return undefined
  try {
    return parseCql2(cql) as unknown as JsonObject
  } catch (error) {
    if (error instanceof Cql2SyntaxError) return refuse(['where'], error.message)
    throw error
  }
}

/** Refuses parameters. @throws WorldFault `invalid_parameter`, unless there are none */
function refuse(names: readonly string[], message?: string): undefined {
  if (names.length === 0) return
  const fields = names.map((name): FieldFault => {
    const shown = name.toWellFormed().slice(0, 100)
    return { in: 'query', name: shown, reason: 'malformed', message: message ?? `${shown} cannot be read` }
  })
  throw fieldsFault('invalid_parameter', `This view cannot be read: ${fields[0]?.message}.`, fields)
}
