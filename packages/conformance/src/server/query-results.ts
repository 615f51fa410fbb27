import { NotApplicable } from '../check/check.ts'
import { demand, expectError } from '../http/expect.ts'
import { compareBytes, type JsonObject, objectIn, objectsIn, repeated } from '../json/json.ts'
import { addresses, expectSame } from './answers.ts'
import { expectUnchanged } from './pages.ts'
import {
  anyType,
  call,
  condition,
  expectFaults,
  isNumber,
  isShortText,
  isVaried,
  query,
  references,
  shortTexts,
  subject,
  type Values,
} from './questions.ts'
import { check, type Target } from './target.ts'

/** Maximum number of pages per walk. */
const MOST_PAGES = 12

/** Runs a query that matches several entities, with a limit of 1. Returns the input and the next cursor. */
async function firstCursor(target: Target): Promise<{ input: JsonObject; cursor: string }> {
  const { type } = await anyType(target)
  const input = { types: [type], limit: 1 }
  const { output, exchange } = await query(target, input)
  const cursor = output['nextCursor']
  demand(typeof cursor === 'string', 'a page of one entity of several has no nextCursor', exchange)
  return { input, cursor }
}

/** Checks for section 9 of the decisions: order, cursors, totals and included entities. Ordered by rule. */
export const queryResultChecks = [
  check(
    'D9-10.a',
    'sort orders by its key, then by id; entities without a value come last in both directions',
    async (target) => {
      const what = 'a property with one number each, not all equal'
      const fits = (all: Values<number>) => all.every((own) => own.length < 2) && isVaried(all)
      const { type, entities, property, values } = await subject(target, 'number', isNumber, what, fits)
      for (const sign of [1, -1]) {
        const byKey = (one: JsonObject, other: JsonObject) => {
          const [left, right] = [values(one)[0], values(other)[0]]
          if (left !== undefined && right !== undefined) return sign * (left - right)
          return Number(left === undefined) - Number(right === undefined)
        }
        const expected = entities.toSorted(
          (one, other) => byKey(one, other) || compareBytes(one['id'], other['id']),
        )
        const sort = [{ property, descending: sign < 0 }]
        const { found, exchange } = await walked(target, { types: [type], sort })
        const right = addresses(expected).slice(0, found.length)
        const at = right.findIndex((address, place) => address !== found[place])
        demand(at < 0, `place ${at} has ${found[at]} instead of ${right[at]}`, exchange)
      }
    },
  ),
  check('D9-11.a', 'a cursor with another question gets 400 invalid_cursor', async (target) => {
    const { input, cursor } = await firstCursor(target)
    const where = condition('<', { property: 'id' }, 'zzz')
    for (const change of [{ where }, { sort: ['-id'] }, { text: 'conformance' }])
      expectError(await call(target, { ...input, ...change, cursor }), 400, 'invalid_cursor')
    for (const broken of ['', 'x', `${cursor}A`])
      expectError(await call(target, { ...input, cursor: broken }), 400, 'invalid_cursor')
  }),
  check('D9-11.b', 'fields, include, facets and limit may change from page to page', async (target) => {
    const { input, cursor } = await firstCursor(target)
    const plain = await query(target, { ...input, cursor })
    for (const change of [{ limit: 2 }, { fields: [] }, { facets: [] }, { include: [] }]) {
      const { entities, exchange } = await query(target, { ...input, ...change, cursor })
      const same = addresses(entities)[0] === addresses(plain.entities)[0]
      demand(same, `${Object.keys(change)} changes where the page begins`, plain.exchange, exchange)
    }
  }),
  check('D9-12.a', 'a walk over all pages gives each entity exactly once', async (target) => {
    const { type, entities } = await anyType(target)
    const limit = Math.max(1, Math.ceil(entities.length / MOST_PAGES))
    const { found, exchange } = await walked(target, { types: [type], limit })
    const twice = repeated(found)
    demand(twice === undefined, `${twice} is met twice`, exchange)
    const missing = addresses(entities).find((address) => !found.includes(address))
    demand(found.length < entities.length || missing === undefined, `${missing} is not met`, exchange)
    const isWhole = found.length === entities.length || found.length >= MOST_PAGES * limit
    demand(isWhole, `${found.length} are met, the list has ${entities.length}`, exchange)
  }),
  check(
    'D9-13.a',
    'total, counts and facets are of the whole result, whatever page is asked for',
    async (target) => {
      const { type, entities, property, having } = await shortTexts(target)
      const input = { types: [type], facets: [{ property }], limit: 1 }
      const first = await query(target, input)
      const second = await query(target, { ...input, cursor: first.output['nextCursor'] })
      for (const { output, exchange } of [first, second]) {
        const { total, counts, facets } = output
        demand(total === entities.length, `total is ${total}, the list has ${entities.length}`, exchange)
        demand(objectIn(counts)[type] === total, `counts does not have ${total} of ${type}`, exchange)
        const [facet = {}] = objectsIn(facets)
        if (facet['partial'] === true) continue
        const buckets = objectsIn(facet['buckets'])
        demand(buckets.length > 0, 'the facet has no buckets', exchange)
        for (const { value, count } of buckets) {
          const isRight = count === having((one) => one === value).length || !isShortText(value)
          demand(isRight, `${value} is counted ${count} times`, exchange)
        }
      }
    },
  ),
  check(
    'D9-14.a',
    'fields gives back type, id, title and the attributes named, and no other',
    async (target) => {
      const { type, entities } = await anyType(target)
      const [entity = {}] = entities
      const [name] = Object.keys(objectIn(entity['attributes']))
      if (name === undefined) throw new NotApplicable('the first entity has no attributes')
      const field = name.includes('.') || name === 'attributes' ? ['attributes', name] : `attributes.${name}`
      const { entities: found, exchange } = await query(target, { types: [type], fields: [field], limit: 5 })
      for (const { attributes, ...others } of found) {
        const own = Object.keys(objectIn(attributes))
        const alone = own.every((one) => one === name)
        demand(alone, `attributes has ${own}`, exchange)
        const more = Object.keys(others).find((one) => !['type', 'id', 'title'].includes(one))
        demand(more === undefined, `there is ${more}`, exchange)
      }
      const first = found.find(({ id }) => id === entity['id'])
      const isThere = first === undefined || name in objectIn(first['attributes'])
      demand(isThere, `the attribute ${name} is missing`, exchange)
    },
  ),
  check(
    'D9-14.b',
    'include gives each entity that references lead to once, and names those that lead to nothing',
    async (target) => {
      const { type, property, values } = await references(target)
      const input = { types: [type], include: [property], limit: 20 }
      const { entities, output, exchange } = await query(target, input)
      const { included, missing = [], includedMore, damaged } = output
      demand(Array.isArray(included) && Array.isArray(missing), 'included or missing is no list', exchange)
      const given = addresses(objectsIn([...included, ...missing]))
      const twice = repeated(given)
      demand(twice === undefined, `${twice} comes twice`, exchange)
      const here = new Set([...given, ...addresses(entities)])
      const left = addresses(entities.flatMap(values)).find((address) => !here.has(address))
      const isWhole = left === undefined || includedMore === true || damaged !== undefined
      demand(isWhole, `${left} is neither included nor missing`, exchange)
    },
  ),
  check(
    'D9-16.a',
    'a question that is repeated gets the same answer, and changes nothing',
    async (target) => {
      const { type } = await anyType(target)
      await expectUnchanged(target, type, async () => {
        const first = await query(target, { types: [type] })
        const again = await query(target, { types: [type] })
        expectSame('output', first, again, 'the second answer is another')
      })
    },
  ),
  check('D9-17.a', 'similar leaves out the entity itself; it stands in place of text', async (target) => {
    const { type, entities } = await anyType(target)
    const similar = { type, id: entities[0]?.['id'] }
    const { entities: found, exchange } = await query(target, { types: [type], similar })
    const isOut = !addresses(found).includes(`${type} ${similar.id}`)
    demand(isOut, 'the entity is among those that are like it', exchange)
    await expectFaults(target, { similar, text: 'a' }, '/input/similar')
  }),
  check(
    'D9-17.b',
    'similar with an entity that the world does not have gets 404 entity_not_found',
    async (target) => {
      const { type } = await anyType(target)
      expectError(await call(target, { similar: { type, id: target.missingId } }), 404, 'entity_not_found')
    },
  ),
]

/** Walks the pages of a query. Returns the types and ids found, and the last exchange. */
async function walked(target: Target, input: JsonObject) {
  const found: string[] = []
  let cursor: unknown
  for (let page = 1; ; page += 1) {
    const next = cursor === undefined ? input : { ...input, cursor }
    const { entities, output, exchange } = await query(target, next)
    found.push(...addresses(entities))
    cursor = output['nextCursor']
    if (cursor === undefined || page === MOST_PAGES) return { found, exchange }
  }
}
