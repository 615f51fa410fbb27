/** Share images of the home page, of types and of entities. */
import { holdsValue, parseExact } from '@worldwright/client/exact'
import type { Entity, JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Mount, Route, RouteParams, World, WorldRequest } from '@worldwright/core'
import { LIST_MAX, splitTarget } from '@worldwright/core'
import {
  type Drawing,
  type ImageMaker,
  MOST_BARS,
  MOST_ROWS,
  type ViewTable,
  viewContent,
} from '../images/index.ts'
import { TRUTH } from '../shown/english.ts'
import { columnsOf, type Field, fieldOf, presentFields } from '../shown/fields.ts'
import { numberText, timeText } from '../shown/numbers.ts'
import { isNumber, member } from '../shown/schema.ts'
import { bodyOf, outlineOf, placeOf } from '../shown/values.ts'
import { namesOf, VIEW_PATH } from '../views/index.ts'
import { imagePath, isAttachment, webAddress } from './addresses.ts'
import { entitiesIn } from './entities-in.ts'
import { titlesOf } from './entity-page.ts'
import type { PageAnswers } from './page-answers.ts'
import { worldName } from './page-document.ts'
import { countText, nameOf, seenText, typeName } from './seen-text.ts'
import { keyOf, LANGUAGE, labelOf, referenceIn, type Titles, unitAfter } from './values.ts'
import { answerView, type ReadView, readView, type ViewAnswer } from './view-answer.ts'
import { foundText, groupsForImage, shownValues, viewColumns } from './view-page.ts'

/** Maximum length of a text shown as a fact, in UTF-16 code units. Longer ones are prose. */
const MAX_FACT = 80

/** Returns the routes of the images. Each path is that of its page below `/image`. */
export function imageRoutes(
  world: World,
  mount: Mount,
  answers: PageAnswers,
  images: ImageMaker,
  hasViews: boolean,
): readonly Route[] {
  const from = { world, source: mount.source, answers }
  const route = (
    page: string,
    drawn: (request: WorldRequest, params: RouteParams) => Promise<Pictured>,
  ): Route => ({
    path: imagePath(page),
    lane: 'search',
    answers: ['image/png'],
    methods: {
      async GET(request, params) {
        const { words, isPartial, ...drawing } = await drawn(request, params)
        const subtitle = words.filter((text) => text !== undefined).join(' · ')
        const name = worldName(world.description)
        const { cacheable, ...image } = await images.answer({ ...drawing, subtitle, world: name })
        // The next search may get further.
        return isPartial || cacheable === undefined ? image : { ...image, cacheable }
      },
    },
  })
  return [
    route('/', (request) => homeImage(from, request)),
    route('/t/{type}', (request, { type = '' }) => typeImage(from, request, type)),
    route('/t/{type}/{id}', (request, { type = '', id = '' }) => entityImage(from, request, type, id)),
    ...(hasViews
      ? [route(`${VIEW_PATH}{type}`, (request, { type = '' }) => viewImage(from, request, type))]
      : []),
  ]
}

/** Sources of an image. */
interface Pages {
  readonly world: World
  readonly source: Mount['source']
  readonly answers: PageAnswers
}

/** Content of an image; `words` are the parts of its subtitle. */
interface Pictured extends Pick<Drawing, 'title' | 'content'> {
  readonly words: readonly (string | undefined)[]
  readonly isPartial?: boolean
}

async function homeImage({ world, source }: Pages, { signal }: WorldRequest): Promise<Pictured> {
  const [types, states] = await Promise.all([world.types(), source.types({ signal })])
  const bars = types
    .map((type) => ({ label: typeName(type), value: states.get(type.type)?.count ?? 0 }))
    .sort((one, other) => other.value - one.value)
    .map((bar) => ({ ...bar, shown: countText(bar.value) }))
  const largest = bars.length > MOST_BARS ? `The ${MOST_BARS} largest of ${bars.length} types` : undefined
  return {
    title: worldName(world.description),
    words: [largest, world.description.description],
    content: bars.length > 0 ? { kind: 'bars', bars } : undefined,
  }
}

async function typeImage(
  { world, source, answers }: Pages,
  { signal }: WorldRequest,
  type: string,
): Promise<Pictured> {
  const page = await world.list(type, { limit: LIST_MAX, cursor: undefined, signal })
  const described = await answers.described(type)
  const entities = await entitiesIn(page.entities)
  const shown = entities.slice(0, MOST_ROWS).map(({ attributes }) => attributes)
  const fields = columnsIn(entities, columnsOf(described.schema, shown))
  const titles = await titlesOf(shown, source, { signal })
  const content = viewContent({
    label: 'Name',
    columns: fields.map(labelOf),
    rows: entities.map((entity) => ({
      label: nameOf(entity),
      values: fields.map((field) => ({
        shown: factText(member(entity.attributes, field.name), field, titles) ?? '',
      })),
      point: pointOf(entity, described.schema),
    })),
  })
  const total = `${countText(page.total)} ${page.total === 1 ? 'entity' : 'entities'}`
  const drawn = content?.kind === 'map' ? content.points.length : page.total
  const words = drawn < page.total ? `${countText(drawn)} of ${total} on the map` : total
  return { title: typeName(described), words: [words, seenText(described.description)], content }
}

async function viewImage({ world, source }: Pages, request: WorldRequest, type: string): Promise<Pictured> {
  const query = new URLSearchParams(splitTarget(request.target).query)
  const read = await readView(type, query, { world, source }, request.signal)
  const answer = await answerView(read, world, request)
  const titles = await titlesOf(shownValues(read, answer), source, request)
  const { rows, measured, content } = drawingOf(read, answer, titles)
  const drawn = content?.kind === 'map' ? content.points.length : MOST_BARS
  const isCut = content?.kind === 'map' ? drawn < answer.total : content?.kind === 'bars' && rows > drawn
  const cut = content?.kind === 'map' ? `${countText(drawn)} on the map` : `the first ${drawn}`
  const words = [foundText(answer), isCut ? cut : undefined, content?.kind === 'bars' ? measured : undefined]
  return { title: read.title, words, content, isPartial: answer.isPartial }
}

/** Returns the rows of an answered view, the label of its bars, and what its image draws: a map, if that is its layout. */
function drawingOf(read: ReadView, { groups, entities }: ViewAnswer, titles: Titles) {
  const table = groups ? groupsForImage(read, groups, titles) : entitiesForImage(read, entities, titles)
  const measure = read.view.view === 'map' ? undefined : table.measure
  const measured = table.columns[measure ?? -1]
  return { rows: table.rows.length, measured, content: viewContent({ ...table, measure }) }
}

/** Reports whether the image of an answered view shows what its layout does: bars of a summary, or a map. */
export function drawsLayout(read: ReadView, answer: ViewAnswer, titles: Titles): boolean {
  const kind = drawingOf(read, answer, titles).content?.kind
  return read.view.view === 'map' ? kind === 'map' : answer.groups !== undefined && kind === 'bars'
}

async function entityImage(
  { world, source, answers }: Pages,
  { signal }: WorldRequest,
  type: string,
  id: string,
): Promise<Pictured> {
  const { json } = await world.get(type, id, { signal })
  const entity = parseExact(json, holdsValue) as Entity
  const described = await answers.described(type)
  const titles = await titlesOf(entity.attributes, source, { signal })
  const facts = presentFields(entity.attributes, described.schema).flatMap(([field, value]) => {
    const text = factText(value, field, titles)
    return text === undefined ? [] : [{ label: labelOf(field), value: text }]
  })
  const point = pointOf(entity, described.schema)
  return {
    title: nameOf(entity),
    words: [typeName(described), seenText(entity.summary)],
    content: facts.length > 0 ? { kind: 'facts', facts } : point && { kind: 'map', points: [point] },
  }
}

/** Returns the entities of a view as rows with its first columns. Bars show an order that begins with the largest. */
function entitiesForImage(read: ReadView, entities: readonly Entity[], titles: Titles): ViewTable {
  const {
    type: { schema },
    view,
  } = read
  const names = viewColumns(read).slice(0, 2)
  const { sort = '', near } = view.asked ?? {}
  const isOrder = (name: string) =>
    near === undefined && sort.startsWith('-') && namesOf(sort.slice(1)).join('.') === name
  return {
    label: 'Name',
    columns: names.map((name) => labelOf(fieldOf(name, member(member(schema, 'properties'), name), schema))),
    rows: entities.map((entity) => ({
      label: nameOf(entity),
      values: names.map((name) => {
        const value = member(entity.attributes, name)
        const field = fieldOf(name, member(member(schema, 'properties'), name), schema, value)
        return {
          shown: factText(value, field, titles) ?? '',
          number: isNumber(value) ? Number(value) : undefined,
        }
      }),
      point: pointOf(entity, schema),
    })),
    measure: names.findIndex(isOrder),
  }
}

/** Returns the first two fields for which most entities have a value in a word. */
function columnsIn(entities: readonly Entity[], fields: readonly Field[]): Field[] {
  const isIn = (value: JsonValue | undefined, field: Field) =>
    !Array.isArray(value) && factText(value, field, new Map()) !== undefined
  const isCommon = (field: Field) => {
    const having = entities.filter(({ attributes }) => isIn(member(attributes, field.name), field))
    return having.length * 2 > entities.length
  }
  return fields.filter(isCommon).slice(0, 2)
}

/** Returns a value in words, or undefined if it is an address, prose or has many parts. */
function factText(value: JsonValue | undefined, field: Field, titles: Titles): string | undefined {
  const reference = referenceIn(value)
  if (reference) return titles.get(keyOf(reference)) ?? reference.id
  if (typeof value === 'string') {
    const isAddress = isAttachment(value) || webAddress(value) !== undefined
    return isAddress || value.length > MAX_FACT ? undefined : seenText(timeText(value, LANGUAGE) ?? value)
  }
  if (isNumber(value)) return numberText(value, LANGUAGE, field.isGrouped) + unitAfter(field)
  if (typeof value === 'boolean') return value ? TRUTH.yes : TRUTH.no
  if (!Array.isArray(value) || value.length === 0 || value.length > 4) return undefined
  const parts = value.map((part) => (Array.isArray(part) ? undefined : factText(part, field, titles)))
  return parts.includes(undefined) ? undefined : parts.join(', ')
}

/** Returns the location of an entity, unless it is on another body than the Earth. */
function pointOf({ attributes }: Entity, schema: JsonObject | undefined) {
  return outlineOf(bodyOf(attributes, schema)) === 'earth' ? placeOf(attributes) : undefined
}
