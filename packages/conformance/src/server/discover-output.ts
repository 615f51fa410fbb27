import { NotApplicable } from '../check/check.ts'
import { demand, expectError, expectHeader, expectOrder, isCount } from '../http/expect.ts'
import {
  at,
  atPointer,
  compareBytes,
  isObject,
  isScalar,
  type JsonObject,
  objectIn,
  objectsIn,
} from '../json/json.ts'
import { type Answer, addresses, ask } from './answers.ts'
import { readPage, statedLimit, typeWith } from './pages.ts'
import { type } from './subjects.ts'
import { check, type Target } from './target.ts'

const MOST_BYTES = 4 * 1024 * 1024
const ENVELOPE_BYTES = 64 * 1024

/** Searches for the title of an entity on the first page. Throws NotApplicable if no entity there has a title. */
function titled(target: Target): Promise<Answer & { title: string; address: string; input: object }> {
  return target.once('titled', async () => {
    const { entities } = await readPage(target, await type(target))
    const found = entities.find(
      (entity) => typeof entity['title'] === 'string' && /\p{L}{3}/u.test(entity['title']),
    )
    if (found === undefined) throw new NotApplicable('no entity on the first page has a title to search for')
    const title = String(found['title'])
    const input = { text: title, types: [found['type']] }
    return { ...(await ask(target, input)), input, title, address: `${found['type']} ${found['id']}` }
  })
}

/** Calls the action without a filter and with the largest limit that the world allows, once per run. */
function everything(target: Target): Promise<Answer> {
  return target.once('everything', async () =>
    ask(target, { limit: await statedLimit(target, 'discover', 'max') }),
  )
}

/** Throws NotApplicable if the action does not declare an input member of this name. */
async function declared(target: Target, name: string): Promise<void> {
  const { actions } = (await target.document()).document
  const action = objectsIn(actions).find((one) => one['name'] === 'wp:discover')
  if (at(action, ['inputSchema', 'properties', name]) === undefined)
    throw new NotApplicable(`wp:discover of this world declares no ${name}`)
}

/** Requests the first of several matches. Returns the input without its limit, and the next cursor. */
async function begun(target: Target): Promise<{ input: object; nextCursor: string }> {
  await declared(target, 'cursor')
  const { type: name } = await typeWith(target, 2)
  const input = { types: [name] }
  const { output, exchange } = await ask(target, { ...input, limit: 1 })
  const { nextCursor } = output
  demand(typeof nextCursor === 'string', 'there is no nextCursor, though more follows', exchange)
  return { input, nextCursor }
}

const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  entities: Array.isArray,
  limit: isCount,
  total: isCount,
  counts: (value) => isObject(value) && Object.values(value).every(isCount),
  truncated: (value) => typeof value === 'boolean',
  matched: (value) => Array.isArray(value) && value.every((word) => typeof word === 'string'),
}

/** Checks for section 4 of the decisions: the output of `wp:discover`. Ordered by rule. */
export const discoverOutputChecks = [
  check('D4-1.a', 'an action answers { action, output }', async (target) => {
    const { body, exchange } = await ask(target, {})
    demand(body['action'] === 'wp:discover', `action is ${JSON.stringify(body['action'])}`, exchange)
    const others = Object.keys(body).filter((name) => !['action', 'output', 'warnings'].includes(name))
    demand(others.length === 0, `the envelope has the member ${others[0]}`, exchange)
  }),
  check('D4-2.a', 'warnings is left out when there are none', async (target) => {
    const { body, exchange } = await ask(target, {})
    demand(!('warnings' in body), 'warnings is there', exchange)
  }),
  check('D4-3.a', 'a warning has code, message and field', async (target) => {
    const { warnings, exchange } = await ask(target, { types: ['conformance:no-such-type'], conformance: 1 })
    demand(warnings.length >= 2, `${warnings.length} warnings where two are due`, exchange)
    for (const { code, message, field } of warnings) {
      const right = [code, message, field].every((text) => typeof text === 'string' && text !== '')
      demand(right && /^\//.test(String(field)), 'a warning lacks one of them', exchange)
    }
  }),
  check(
    'D4-23.a',
    'output has entities, limit, total, counts, truncated and matched, of their types',
    async (target) => {
      for (const { output, exchange } of [await everything(target), await ask(target, { text: 'zzqx' })]) {
        for (const [name, right] of Object.entries(MEMBERS))
          demand(right(output[name]), `${name} is ${JSON.stringify(output[name])?.slice(0, 80)}`, exchange)
      }
    },
  ),
  check(
    'D4-24.a',
    'a search for the title of an entity finds it, among the first results',
    async (target) => {
      const { entities, title, address, exchange } = await titled(target)
      demand(addresses(entities).includes(address), `"${title}" does not find ${address}`, exchange)
    },
  ),
  check('D4-25.a', 'without text, results are ordered by type, then by id', async (target) => {
    const { entities, exchange } = await everything(target)
    const compare = (one: JsonObject, other: JsonObject) =>
      compareBytes(one['type'], other['type']) || compareBytes(one['id'], other['id'])
    expectOrder(exchange, entities, compare, ({ id }) => id)
  }),
  check('D4-26.a', 'the same question gets the same order each time', async (target) => {
    const { input, entities, exchange } = await titled(target)
    const first = addresses(entities).join()
    for (const _time of [1, 2]) {
      const again = await ask(target, input)
      const same = addresses(again.entities).join() === first
      demand(same || again.output['partial'] === true, 'another order', exchange, again.exchange)
    }
  }),
  check('D4-27.a', 'total and counts count every match, not only those that are returned', async (target) => {
    const { type: name, total } = await typeWith(target, 2)
    const { output, exchange } = await ask(target, { types: [name], limit: 1 })
    demand(output['total'] === total, `total is ${output['total']}, the list has ${total}`, exchange)
    const counts = objectIn(output['counts'])
    demand(counts[name] === total, `counts of ${name} is ${counts[name]}, the list has ${total}`, exchange)
  }),
  check('D4-28.a', 'counts has no zeros, and adds up to total', async (target) => {
    for (const { output, exchange } of [await everything(target), await titled(target)]) {
      const counts = Object.values(objectIn(output['counts']))
      demand(!counts.includes(0), 'a type is counted 0', exchange)
      const sum = counts.reduce<number>((all, count) => all + Number(count), 0)
      const right = sum === output['total'] || output['totalIsLowerBound'] === true
      demand(right, `counts add up to ${sum}, total is ${output['total']}`, exchange)
    }
  }).also('D4-27'),
  ...(['totalIsLowerBound', 'partial'] as const).map((name) =>
    check(name === 'partial' ? 'D4-32.a' : 'D4-29.a', `${name} is true where it is there`, async (target) => {
      const answers = [await everything(target), await titled(target)]
      const given = answers.filter(({ output }) => name in output)
      if (given.length === 0) throw new NotApplicable(`no answer seen has ${name}`)
      for (const { output, exchange } of given) {
        demand(output[name] === true, `${name} is ${JSON.stringify(output[name])}`, exchange)
      }
    }),
  ),
  check('D4-30.a', 'truncated says whether more matches exist than are returned', async (target) => {
    const answers = [await everything(target), await ask(target, { limit: 1 })]
    for (const { output, entities, exchange } of answers) {
      const more = Number(output['total']) > entities.length
      demand(output['truncated'] === more, `truncated is ${output['truncated']}`, exchange)
    }
  }),
  check('D4-31.a', 'an answer takes no more than 4 MiB', async (target) => {
    const { exchange } = await everything(target)
    const bytes = exchange.body.length
    demand(bytes <= MOST_BYTES + ENVELOPE_BYTES, `an answer of ${bytes} bytes`, exchange)
  }),
  check(
    'D4-33.a',
    'matched lists words where a text matched, and none where nothing was searched',
    async (target) => {
      const { output, title, exchange } = await titled(target)
      const matched = output['matched']
      demand(Array.isArray(matched) && matched.length > 0, `"${title}" matched no word`, exchange)
      const all = await everything(target)
      const none = all.output['matched']
      demand(Array.isArray(none) && none.length === 0, 'words matched without a text', all.exchange)
    },
  ),
  check(
    'D4-41.a',
    'matchedIn names fields of each entity, and the title of one that was searched by its title',
    async (target) => {
      await declared(target, 'matchedIn')
      const { input, address } = await titled(target)
      const { output, entities, exchange } = await ask(target, { ...input, matchedIn: true })
      const fields = output['matchedIn']
      const fits = Array.isArray(fields) && fields.length === entities.length
      demand(fits, 'matchedIn is not a list as long as entities', exchange)
      for (const [index, entity] of entities.entries())
        for (const pointer of Array.isArray(fields[index]) ? fields[index] : [undefined]) {
          const leads = typeof pointer === 'string' && isScalar(atPointer(entity, pointer))
          demand(leads, `${pointer} of ${entity['id']} leads to no text`, exchange)
        }
      const found = fields[addresses(entities).indexOf(address)]
      demand(found?.includes('/title'), `the title of ${address} is not among ${found}`, exchange)
    },
  ),
  check('D4-39.a', 'nextCursor goes on where the answer ends, to the end', async (target) => {
    const { input, nextCursor } = await begun(target)
    const whole = await ask(target, { ...input, limit: 2 })
    const next = await ask(target, { ...input, limit: 1, cursor: nextCursor })
    const right = addresses(next.entities).join() === addresses(whole.entities).slice(1).join()
    demand(right, 'the cursor does not lead to the second match', whole.exchange, next.exchange)
  }),
  check(
    'D4-40.a',
    'a cursor of another question, or none at all, gets 400 invalid_cursor',
    async (target) => {
      const { input, nextCursor } = await begun(target)
      const questions = [
        { ...input, cursor: 'no-cursor' },
        { text: 'zzqx', cursor: nextCursor },
      ]
      for (const asked of questions)
        expectError(await target.discover({ input: asked }), 400, 'invalid_cursor')
    },
  ),
  check('D4-35.a', 'an answer of wp:discover has Cache-Control: no-store', async (target) => {
    expectHeader((await ask(target, {})).exchange, 'Cache-Control', 'no-store')
  }),
]
