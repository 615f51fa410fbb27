import { NotApplicable } from '../check/check.ts'
import { demand } from '../http/expect.ts'
import { isObject, type JsonObject } from '../json/json.ts'
import {
  condition,
  declared,
  expectFaults,
  expectFound,
  isNumber,
  isReference,
  isShortText,
  isVaried,
  knownTypes,
  query,
  type Reference,
  references,
  shortTexts,
  subject,
  type Values,
} from './questions.ts'
import { check } from './target.ts'

const EARTH_RADIUS = 6_371_008.8

/** Location on Earth, in degrees. */
interface Place {
  readonly latitude: number
  readonly longitude: number
}

function isPlace(value: unknown): value is Place & JsonObject {
  return isObject(value) && isNumber(value['latitude']) && isNumber(value['longitude'])
}

function metresBetween(one: Place, other: Place): number {
  const [a, b, turn] = [one.latitude, other.latitude, other.longitude - one.longitude].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number]
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(turn / 2) ** 2
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(half))
}

function refersTo(value: unknown, { type, id }: Reference): boolean {
  if (isReference(value)) return value.type === type && value.id === id
  if (Array.isArray(value)) return value.some((element) => refersTo(element, { type, id }))
  return isObject(value) && Object.values(value).some((member) => refersTo(member, { type, id }))
}

/** Returns the upper median of the values, or 0 if there are none. */
function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Checks for section 9 of the decisions: a query finds what matches, as predicted from the lists. Ordered by rule. */
export const queryConditionChecks = [
  check('D9-5.a', 'type, id and title are properties, and find the entity that has them', async (target) => {
    for (const { type, entities } of await knownTypes(target)) {
      const [entity = {}] = entities
      for (const property of ['type', 'id', 'title']) {
        const value = entity[property]
        if (!isShortText(value)) continue
        const same = entities.filter((one) => one[property] === value)
        await expectFound(target, type, condition('=', { property }, value), same)
      }
    }
  }),
  check('D9-5.b', 'a property that leads into a list has all values of the list', async (target) => {
    const isList = (all: Values<string>) => all.some((own) => own.length > 1)
    const found = await subject(target, 'text', isShortText, 'a list of short texts', isList)
    const { type, entities, property, values, having } = found
    const several = entities.map(values).find((own) => own.length > 1) ?? []
    for (const value of [several[0], several.at(-1)]) {
      const where = condition('=', { property }, value)
      await expectFound(
        target,
        type,
        where,
        having((one) => one === value),
      )
    }
  }),
  check(
    'D9-6.a',
    'comparisons hold where a value fits, not where there is none; not finds no entity without a value',
    async (target) => {
      const what = 'a property with different numbers'
      const found = await subject(target, 'number', isNumber, what, isVaried)
      const { type, entities, property, values, having } = found
      const bound = middle(entities.flatMap(values))
      const comparisons: Record<string, (value: number) => boolean> = {
        '=': (value) => value === bound,
        '<': (value) => value < bound,
        '<=': (value) => value <= bound,
        '>': (value) => value > bound,
        '>=': (value) => value >= bound,
      }
      for (const [op, fits] of Object.entries(comparisons)) {
        const where = condition(op, { property }, bound)
        const others = entities.filter((entity) => values(entity).length > 0 && !values(entity).some(fits))
        await expectFound(target, type, where, having(fits))
        await expectFound(target, type, condition('not', where), others)
      }
    },
  ),
  check('D9-7.a', 'texts compare by their UTF-8 bytes', async (target) => {
    for (const { type, entities } of await knownTypes(target)) {
      const ids = entities.map(({ id }) => Buffer.from(String(id)))
      const bound = ids.toSorted(Buffer.compare)[ids.length >> 1] ?? Buffer.alloc(0)
      const before = entities.filter((_, at) => Buffer.compare(ids[at] as Buffer, bound) < 0)
      await expectFound(target, type, condition('<', { property: 'id' }, bound.toString()), before)
    }
  }),
  check(
    'D9-7.b',
    'times compare by the moment, however it is spelt, and with a date as a whole day of UTC',
    async (target) => {
      const isTime = (value: unknown): value is string =>
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]+(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/.test(value)
      const found = await subject(target, 'instant', isTime, 'a property with times')
      const { type, entities, property, values, having } = found
      const [time = ''] = entities.flatMap(values)
      const moment = Date.parse(time)
      const day = new Date(moment).toISOString().slice(0, 10)
      const elsewhere = new Date(moment + 7_200_000).toISOString().replace('Z', '+02:00')
      const at = having((one) => Date.parse(one) === moment)
      await expectFound(target, type, condition('=', { property }, { timestamp: elsewhere }), at)
      const onDay = having((one) => new Date(one).toISOString().startsWith(day))
      await expectFound(target, type, condition('=', { property }, { date: day }), onDay)
    },
  ),
  check('D9-7.c', 'distances are metres along a sphere with the mean radius of the Earth', async (target) => {
    const what = 'two places with latitude and longitude'
    const isTwice = (all: Values<Place>) => all.filter((own) => own.length === 1).length > 1
    const { type, entities, property, values } = await subject(target, 'place', isPlace, what, isTwice)
    const placed = entities.filter((entity) => values(entity).length === 1)
    const [center] = placed.flatMap(values)
    const isApart = (entity: JsonObject) => metresBetween(center as Place, values(entity)[0] as Place) > 1_000
    const other = placed.find(isApart)
    if (center === undefined || other === undefined)
      throw new NotApplicable('no two places are a kilometre apart')
    const metres = metresBetween(center, values(other)[0] as Place)
    const point = { type: 'Point', coordinates: [center.longitude, center.latitude] }
    const away = condition('distance', { property }, point)
    const itself = condition('=', { property: 'id' }, other['id'])
    const within = (most: number) => condition('and', itself, condition('<', away, most))
    const tolerance = Math.max(0.01, metres * 1e-9)
    await expectFound(target, type, within(metres + tolerance), [other])
    await expectFound(target, type, within(metres - tolerance), [])
  }),
  check(
    'D9-8.a',
    'a reference is { type, id } or entity of both; refersTo finds whatever refers to it',
    async (target) => {
      const { type, entities, property, values, having } = await references(target)
      const [reference = { type: '', id: '' }] = entities.flatMap(values)
      const call = condition('entity', reference.type, reference.id)
      const same = having((one) => refersTo(one, reference))
      for (const spelt of [reference, call])
        await expectFound(target, type, condition('=', { property }, spelt), same)
      const referring = entities.filter(({ attributes }) => refersTo(attributes, reference))
      for (const spelt of [reference, call])
        await expectFound(target, type, condition('refersTo', spelt), referring)
    },
  ),
  check(
    'D9-9.a',
    'like finds beginnings with % at the end, whole texts without; what follows a backslash is itself',
    async (target) => {
      const { type, entities, property, values, having } = await shortTexts(target, isVaried)
      const texts = entities.flatMap(values)
      const text = texts.find((one) => /[%_\\]/.test(one)) ?? (texts[0] as string)
      const beginning = [...text].slice(0, 2).join('')
      const like = (plain: string, more = '') =>
        condition('like', { property }, plain.replace(/[%_\\]/g, '\\$&') + more)
      const same = having((one) => one === text)
      await expectFound(target, type, like(text), same)
      const alike = having((one) => one.startsWith(beginning))
      await expectFound(target, type, like(beginning, '%'), alike)
    },
  ),
  check('D9-9.b', 'a pattern with another % or _ gets 400 invalid_input', async (target) => {
    await declared(target)
    for (const pattern of ['%a', 'a%b', 'a_', '%%']) {
      const where = condition('like', { property: 'id' }, pattern)
      await expectFaults(target, { where }, '/input/where/args/1')
    }
  }),
  check('D9-15.a', 'an entity that is not found by its own text is counted in unindexed', async (target) => {
    const isText = (value: unknown): value is string => typeof value === 'string' && value.length < 1_000
    const isLong = (all: Values<string>) => all.flat().some((text) => text.length > 64)
    const what = 'a property with texts of more than 64 characters'
    const { type, entities, property, values } = await subject(target, 'text', isText, what, isLong)
    const length = (entity: JsonObject) => Math.max(0, ...values(entity).map((text) => text.length))
    const [longest = {}] = entities.toSorted((a, b) => length(b) - length(a))
    const { id } = longest
    const [text] = values(longest).toSorted((a, b) => b.length - a.length)
    const own = condition('=', { property }, text)
    const where = condition('and', condition('=', { property: 'id' }, id), own)
    const { output, entities: hits, exchange } = await query(target, { types: [type], where })
    const { unindexed } = output
    const isSaid = hits.length > 0 || Number(unindexed) > 0
    demand(isSaid, `${id} is not found by its own text, and unindexed is ${unindexed}`, exchange)
  }),
]
