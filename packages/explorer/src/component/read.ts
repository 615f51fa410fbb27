/** Reads a view or an entity by the API of its world, and shows it. */
import { holdsValue, parseExact } from '@worldwright/client/exact'
import { action, connect, get, list, type WorldData, WorldError } from '@worldwright/client/functions'
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import {
  columnsOf,
  isNumber,
  isObject,
  member,
  presentFields,
  textMember,
} from '@worldwright/extensions/shown'
import * as views from '@worldwright/extensions/views'
import { nameOf } from '../data/entity-name.ts'
import { referencesOf } from '../data/references.ts'
import { type Askable, allAskablesOf, fieldAt } from '../question/askable.ts'
import { type Answer, type Asking, ask, isEntity, questionOf, readTitles } from '../question/question.ts'
import { titleWordsOf } from '../question/view-title.ts'
import { lookOf, typeProfile } from '../world/world-profile.ts'
import { element, type Part, said, table } from './element.ts'
import { countText, entityLink, type Known, partsOf, textOf } from './values.ts'

/** Maximum rows, dots of a map, groups, facts, columns of a view that names none, and references with titles. */
const [ROWS, DOTS, GROUPS, FACTS, COLUMNS, TITLES] = [50, 200, 100, 40, 6, 50]
/** Layouts that show an entity in each row. */
const IN_ROWS: readonly unknown[] = [undefined, 'table', 'list', 'gallery', 'map']

/** Type of a connected world. */
interface Opened extends Known {
  readonly world: WorldData
  readonly asking: Asking
  readonly type: ReturnType<typeof typeProfile>
  readonly askables: ReadonlyMap<string, Askable>
  readonly signal: AbortSignal
}

/**
 * Reads `/v/TYPE?…`, `/t/TYPE` or `/t/TYPE/ID` of the world at `origin`. Rejects with `invalid_argument` for other addresses
 * and for views that cannot be read, and as the calls of the client do.
 */
export async function partsFor(origin: string, src: string, signal: AbortSignal): Promise<Part[]> {
  const base = URL.parse(origin)?.origin
  const url = URL.parse(src, base)
  const [, name, id] = /^\/(?:v(?=\/[^/]+$)|t)\/([^/]+)(?:\/([^/]+))?$/.exec(url?.pathname ?? '') ?? []
  if (url === null || url.origin !== base || name === undefined)
    throw refusal('It needs an origin, such as https://world.example, and a src there, such as /v/TYPE?…')
  const world = await connect(base, { signal, parse: (text) => parseExact(text, holdsValue) })
  const listed = (member: string) => [world.document[member] ?? []].flat().filter(isObject)
  const types = listed('entityTypes').map((one) => typeProfile(String(one['type']), one, 0))
  const named = decodeURIComponent(name)
  const type = types.find((one) => one.type === named) ?? typeProfile(named, undefined, 0)
  const profile = {
    types,
    actions: listed('actions').map((one) => ({ name: String(one['name']) })),
    extensions: Object.entries(world.document.extensions ?? {}),
  }
  const { hasViews } = lookOf(member(world.document.extensions, 'worldwright:pages'), base)
  const askables = new Map(allAskablesOf(profile, type).map((one) => [one.key, one]))
  const asking = { action: (name: string, input: object) => action(world, name, input, { signal }) } as Asking
  const opened = { world, asking, type, askables, signal, titles: new Map(), origin: base, hasViews }
  url.searchParams.delete('embed')
  const [title, ...parts] = await (id === undefined
    ? readView(opened, url.searchParams)
    : readEntity(opened, decodeURIComponent(id)))
  const about = ['name', 'license', 'attribution'].map((one) => textMember(world.document.world, one))
  return [
    element('h2', {}, element('a', { href: url.href, dir: 'auto' }, textOf(title))),
    ...parts,
    said(about.flatMap((text) => (text === undefined ? [] : [textOf(text)])).join(' · ')),
  ]
}

async function readEntity(opened: Opened, id: string): Promise<[title: string, ...Part[]]> {
  const { world, type, signal } = opened
  const entity = await get(world, type.type, id, { signal })
  if (!isEntity(entity)) throw new WorldError('invalid_response', 'The answer is no entity.')
  const { attributes, summary } = entity
  await nameReferences(opened, attributes)
  const present = presentFields(attributes, type.schema)
  const facts = present.slice(0, FACTS).map(([field, value]) => {
    const term = element('dt', { dir: 'auto' }, textOf(field.label))
    return element('div', {}, term, element('dd', { dir: 'auto' }, ...partsOf(value, field, opened)))
  })
  const cut = present.length > FACTS && said(`The first ${FACTS} of ${countText(present.length)} facts.`)
  const about = typeof summary === 'string' && said(textOf(summary))
  return [nameOf(entity), about, element('dl', {}, ...facts), cut]
}

async function readView(opened: Opened, query: URLSearchParams): Promise<[title: string, ...Part[]]> {
  const { type, titles, askables } = opened
  const { view, unread } = views.viewFrom(query)
  const kindOf = (key: string) => askables.get(key)
  const declared = Object.keys(Object(member(type.schema, 'properties')))
  refuse([...new Set([...unread, ...views.misfitsOf(view, declared, kindOf)])])
  const groups = view.view === 'summary' ? views.groupsOf(view, kindOf, refuse) : {}
  const question = await questionOf(type.type, view.asked ?? views.NOTHING_ASKED, [...askables.values()])
  await nameReferences(opened, [question['where']])
  const title = views.titleOfView(view, {
    ...titleWordsOf(type, askables),
    entity: (reference) => titles.get(reference),
  })
  if ('group' in groups) return [title, ...(await readGroups(opened, title, { ...question, ...groups }))]
  return [title, ...(await readRows(opened, title, question, view))]
}

async function readRows(
  opened: Opened,
  title: string,
  question: JsonObject,
  view: views.View,
): Promise<Part[]> {
  const { world, asking, signal } = opened
  const { type, schema } = opened.type
  const { asked = views.NOTHING_ASKED, columns = [], cursor, view: layout, plot } = view
  const page = { limit: layout === 'map' ? DOTS : ROWS, ...(cursor !== undefined && { cursor }) }
  // A view of everything is the list of its type, which every world has.
  const answer: Partial<Answer> = views.isAsked(asked)
    ? await ask(asking, { ...question, ...page }, {})
    : await list(world, type, page, { signal })
  if (!Array.isArray(answer.entities)) throw new WorldError('invalid_response', 'The answer is no list.')
  const entities: Entity[] = answer.entities.filter(isEntity).slice(0, page.limit)
  const map = layout === 'map' ? (await import('./map.ts')).mapOf(entities, schema, plot?.x) : undefined
  const sample = entities.map(({ attributes }) => attributes)
  const fields = new Map(columnsOf(schema, sample, new Set(columns)).map((field) => [field.name, field]))
  const usual = [...views.keysOfAsked(asked), ...fields.keys()].filter((name) => fields.has(name))
  const shown = columns.length > 0 ? columns : [...new Set(usual)].slice(0, COLUMNS)
  await nameReferences(
    opened,
    sample.map((own) => shown.map((name) => member(own, name) ?? null)),
  )
  const rows = (map?.placed ?? entities).map((entity) => {
    const present = presentFields(entity.attributes, schema).filter(([{ name }]) => shown.includes(name))
    const parts = new Map(present.map(([field, value]) => [field.name, partsOf(value, field, opened)]))
    return [[entityLink(entity, opened)], ...shown.map((name) => parts.get(name) ?? [])]
  })
  const heads = shown.map((name) => textOf(fields.get(name)?.label ?? name))
  const isAmount = (at: number) => {
    const values = sample.flatMap((own) => member(own, shown[at - 1] ?? '') ?? [])
    return at > 0 && values.length > 0 && values.every(isNumber)
  }
  const drawn = rows.length > 0 && table(title, ['Title', ...heads], rows, isAmount)
  return [
    said(foundText(answer, entities.length, cursor)),
    !IN_ROWS.includes(layout) && said(`Shown as a table. The page of the view draws a ${layout}.`),
    ...(map?.parts ?? []),
    map && drawn ? element('details', {}, element('summary', {}, 'As a table'), drawn) : drawn,
  ]
}

async function readGroups(opened: Opened, title: string, question: JsonObject): Promise<Part[]> {
  const { asking, type } = opened
  const { sort: _, ...list } = question
  const answer = await ask(asking, { ...list, groupLimit: GROUPS, limit: 0 }, {})
  const groups = answer.groups.slice(0, GROUPS)
  await nameReferences(opened, [groups.map(({ key }) => key)])
  const membersOf = (name: string) => [question[name] ?? []].flat().filter(isObject)
  const fieldIn = ({ property }: JsonObject) => fieldAt(views.keyOf(property) ?? '', type.schema)
  const [keys, measures] = [membersOf('group'), membersOf('measures')]
  const names = ['count', ...measures.map(({ op, property }) => `${op}:${views.keyOf(property)}`)]
  const fields = [undefined, ...measures.map((one) => (one['op'] === 'distinct' ? undefined : fieldIn(one)))]
  // Bars show the measure of the order, or else the last one.
  const ordered = names.indexOf(String(question['groupSort']).replace(/^-/, ''))
  const drawn = ordered < 0 ? measures.length : ordered
  const most = Math.max(...groups.map((one) => Number([one.count, ...one.measures][drawn]) || 0))
  const rows = groups.map(({ key, count, measures: amounts }) => [
    ...keys.map((one, at) => {
      const text = views.binText(key[at], one)
      return text === undefined ? partsOf(key[at], fieldIn(one), opened) : [textOf(text)]
    }),
    ...[count, ...amounts].slice(0, names.length).map((amount, at) => {
      const field = fields[at]
      const parts = field ? partsOf(amount, field, opened) : [countText(Number(amount))]
      return [...(amount === null ? ['–'] : parts), at === drawn && bar(Number(amount) / most)]
    }),
  ])
  const heads = measures.map((one) => `${textOf(fieldIn(one).label)} (${one['op']})`)
  const ignored = heads.map((head, at) => {
    const count = answer.ignored[at] ?? 0
    return (
      count > 0 && said(`${head}: ${countText(count)} have values of other kinds, which are not counted.`)
    )
  })
  const all = [...keys.map((one) => textOf(fieldIn(one).label)), 'Count', ...heads]
  const found = said(foundText(answer, groups.length, undefined, answer.groupsTotal))
  return [found, table(title, all, rows, (at) => at >= keys.length, keys.length), ...ignored]
}

/** Returns the number of entities and groups that were found, and how many are shown if these are not all. */
function foundText(answer: Partial<Answer>, shown: number, cursor?: string, groups?: number): string {
  const { total, partial } = answer
  const all =
    typeof total === 'number' ? `${countText(total)} found` : 'The world does not say how many there are'
  const found = `${partial ? 'At least ' : ''}${all}${groups === undefined ? '' : `, in ${countText(groups)} groups`}`
  if (shown === (groups ?? total)) return `${found}.`
  return `${found}: ${cursor === undefined ? 'the first' : 'from a later page,'} ${countText(shown)} are shown.`
}

/** Returns a bar, given its part of the longest one. The number beside it says the same, so screen readers skip it. */
function bar(part: number): Node {
  const width = `${part > 0 ? part * 100 : 0}%`
  return element('svg', { 'aria-hidden': 'true' }, element('rect', { width, height: '100%' }))
}

/** Reads the titles of the entities to which values refer. Those that cannot be read or are missing are shown by id. */
async function nameReferences({ asking, titles, signal }: Opened, values: unknown): Promise<void> {
  const refs = referencesOf(values).flatMap(({ to }) => (to.world === undefined ? [to] : []))
  const some = [...new Map(refs.map((ref) => [`${ref.type}/${ref.id}`, ref])).values()].slice(0, TITLES)
  if (some.length === 0) return
  const answer = await readTitles(asking)(some).catch(() => undefined)
  signal.throwIfAborted()
  // What an answer to the end does not have does not exist.
  if (answer?.partial === false && answer.total === answer.entities.length)
    for (const { type, id } of some) titles.set(`${type}/${id}`, null)
  for (const entity of answer?.entities ?? []) titles.set(`${entity.type}/${entity.id}`, nameOf(entity))
}

/** Refuses parameters of a view. @throws WorldError unless there are none */
function refuse(names: readonly string[]): void {
  if (names.length > 0) throw refusal(`This view cannot be read: ${names.join(', ')}.`)
}

function refusal(message: string): WorldError {
  return new WorldError('invalid_argument', message)
}
