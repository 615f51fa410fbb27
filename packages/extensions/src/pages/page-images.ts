/** Share images of the home page, of types and of entities. */
import { holdsValue, parseExact } from '@worldwright/client/exact'
import type { Entity, EntityTypeDescription, JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Mount, Route, RouteParams, World, WorldRequest, WorldResponse } from '@worldwright/core'
import { LIST_MAX, splitTarget } from '@worldwright/core'
import {
  type Fact,
  type ImageContent,
  type ImageMaker,
  type MapPoint,
  MOST_BARS,
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
import { answerView, type ReadView, readView } from './view-answer.ts'
import { foundText, groupsForImage, shownValues, viewColumns } from './view-page.ts'

/** Number of rows of a table for which values are read. */
const TABLE_ROWS = 6
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
  const made = new PageImages(world, mount, answers, images)
  const route = (page: string, GET: Route['methods'][string]): Route => ({
    path: imagePath(page),
    lane: 'search',
    answers: ['image/png'],
    methods: { GET },
  })
  return [
    route('/', (request) => made.home(request)),
    route('/t/{type}', (request, params) => made.ofType(request, params)),
    route('/t/{type}/{id}', (request, params) => made.ofEntity(request, params)),
    ...(hasViews ? [route(`${VIEW_PATH}{type}`, (request, params) => made.ofView(request, params))] : []),
  ]
}

class PageImages {
  readonly #world: World
  readonly #mount: Mount
  readonly #answers: PageAnswers
  readonly #images: ImageMaker

  constructor(world: World, mount: Mount, answers: PageAnswers, images: ImageMaker) {
    this.#answers = answers
    this.#world = world
    this.#mount = mount
    this.#images = images
  }

  async home({ signal }: WorldRequest): Promise<WorldResponse> {
    const [types, states] = await Promise.all([this.#world.types(), this.#mount.source.types({ signal })])
    const bars = types
      .map((type) => ({ label: typeName(type), value: states.get(type.type)?.count ?? 0 }))
      .sort((one, other) => other.value - one.value)
      .map((bar) => ({ ...bar, shown: countText(bar.value) }))
    const { description } = this.#world.description
    const words = bars.length > MOST_BARS ? `The ${MOST_BARS} largest of ${bars.length} types` : undefined
    return this.#answer(
      worldName(this.#world.description),
      [words, description],
      bars.length > 0 && { kind: 'bars', bars },
    )
  }

  async ofType({ signal }: WorldRequest, { type = '' }: RouteParams): Promise<WorldResponse> {
    const page = await this.#world.list(type, { limit: LIST_MAX, cursor: undefined, signal })
    const described = await this.#answers.described(type)
    const entities = await entitiesIn(page.entities)
    const fields = columnsIn(entities, described)
    const titles = await titlesOf(
      entities.slice(0, TABLE_ROWS).map(({ attributes }) => attributes),
      this.#mount.source,
      { signal },
    )
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
    const shown = content?.kind === 'map' ? content.points.length : page.total
    const words = shown < page.total ? `${countText(shown)} of ${total} on the map` : total
    return this.#answer(typeName(described), [words, seenText(described.description)], content)
  }

  async ofView(request: WorldRequest, { type = '' }: RouteParams): Promise<WorldResponse> {
    const { source } = this.#mount
    const query = new URLSearchParams(splitTarget(request.target).query)
    const read = await readView(type, query, { world: this.#world, source }, request.signal)
    const answer = await answerView(read, this.#world, request)
    const titles = await titlesOf(shownValues(read, answer), source, request)
    const table = answer.groups
      ? groupsForImage(read, answer.groups, titles)
      : entitiesForImage(read, answer.entities, titles)
    const content = viewContent(table)
    const isCut = content?.kind === 'bars' && table.rows.length > MOST_BARS
    const words = [foundText(answer), isCut ? `the first ${MOST_BARS}` : undefined]
    const { cacheable, ...image } = await this.#answer(read.title, words, content)
    // The next search may get further.
    return answer.isPartial || cacheable === undefined ? image : { ...image, cacheable }
  }

  async ofEntity({ signal }: WorldRequest, { type = '', id = '' }: RouteParams): Promise<WorldResponse> {
    const { json } = await this.#world.get(type, id, { signal })
    const entity = parseExact(json, holdsValue) as Entity
    const described = await this.#answers.described(type)
    const titles = await titlesOf(entity.attributes, this.#mount.source, { signal })
    const facts = presentFields(entity.attributes, described.schema).flatMap(([field, value]): Fact[] => {
      const text = factText(value, field, titles)
      return text === undefined ? [] : [{ label: labelOf(field), value: text }]
    })
    const point = pointOf(entity, described.schema)
    const map: ImageContent | false = point !== undefined && { kind: 'map', points: [point] }
    return this.#answer(
      nameOf(entity),
      [typeName(described), seenText(entity.summary)],
      facts.length > 0 ? { kind: 'facts', facts: facts.slice(0, 6) } : map,
    )
  }

  #answer(
    title: string,
    words: readonly (string | undefined)[],
    content: ImageContent | false | undefined,
  ): Promise<WorldResponse> {
    const world = worldName(this.#world.description)
    const subtitle = words.filter((text) => text !== undefined).join(' · ')
    return this.#images.answer({ world, title, subtitle, content: content || undefined })
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
function columnsIn(entities: readonly Entity[], { schema }: EntityTypeDescription): Field[] {
  const sample = entities.slice(0, TABLE_ROWS).map(({ attributes }) => attributes)
  const isIn = (value: JsonValue | undefined, field: Field) =>
    !Array.isArray(value) && factText(value, field, new Map()) !== undefined
  const isCommon = (field: Field) =>
    entities.filter(({ attributes }) => isIn(member(attributes, field.name), field)).length * 2 >
    entities.length
  return columnsOf(schema, sample).filter(isCommon).slice(0, 2)
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
function pointOf({ attributes }: Entity, schema: JsonObject | undefined): MapPoint | undefined {
  return outlineOf(bodyOf(attributes, schema)) === 'earth' ? placeOf(attributes) : undefined
}
