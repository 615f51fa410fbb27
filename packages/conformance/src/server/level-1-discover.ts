import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand, expectJson } from '../http/expect.ts'
import { isObject, isScalar, type JsonObject, sameJson } from '../json/json.ts'
import { spread } from './level-1-entities.ts'
import { entryFrom, known } from './profile.ts'
import { keyOf, listing } from './reading.ts'
import { asked, everything, search, twoTypes, typeOfFound, wordOf, wordsOf } from './searching.ts'
import { getEntity, isPlain, type, types } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Search text that no entity should contain. */
const NONSENSE = 'xqzvwk jqxzzv wvkqjx'

/** Texts with quotes, operators and letters that a careless search engine or database refuses. */
const ODD_TEXTS = ['"moon AND (', "it's [100%] of* -that;", 'caf\u00e9 \u65e5\u672c\u8a9e']

/** Returns the input `own`, alone and beside each other member that the world accepts there. */
async function beside(target: Target, own: JsonObject): Promise<JsonObject[]> {
  const words = wordsOf((await search(target, {})).entries)
  const count = (word: string) => words.filter((one) => one === word).length
  // The most frequent word, so that a limit that is ignored shows.
  const [text = 'a'] = words.toSorted((a, b) => count(b) - count(a))
  const inputs = [own]
  for (const other of [{ types: [await type(target)] }, { text }, { limit: 3 }]) {
    const input = { ...other, ...own }
    if (!sameJson(input, own) && (await asked(target, input)).succeeded) inputs.push(input)
  }
  return inputs
}

/** Fails if a call finds an entity of another type than `names`. */
async function expectTypes(target: Target, input: JsonObject, names: readonly string[]): Promise<void> {
  const { entries, exchange } = await search(target, input)
  for (const entry of entries) {
    const own = await typeOfFound(target, entry)
    demand(own === undefined || names.includes(own), `it finds an entity of ${own}`, exchange)
  }
}

/** Calls the action with a limit of `most`. Fails if it returns more results. */
async function expectAtMost(target: Target, most: number): Promise<void> {
  for (const input of await beside(target, { limit: most })) {
    const { entries, exchange } = await search(target, input)
    demand(entries.length <= most, `${entries.length} results where ${most} were wanted`, exchange)
  }
}

/** Returns an input with `types`, `text` and `limit`, omitting the member that `left` names, if any. */
async function inputWithout(target: Target, left?: string): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = { types: [await type(target)], text: 'a', limit: 3 }
  if (left !== undefined) delete input[left]
  return input
}

/** Fails unless the action accepts `member`, either together with the other two members or alone. */
async function expectAccepted(target: Target, member: 'types' | 'text' | 'limit'): Promise<void> {
  const input = await inputWithout(target)
  const whole = await target.once('search with all members', () => target.discover({ input }))
  if (!whole.succeeded) expectJson(await target.discover({ input: { [member]: input[member] } }))
}

/** Level 1 checks: the discovery action. Ordered by rule. */
export const levelOneDiscoverChecks = [
  check('L1-routes-4.a', 'POST actions/wp%3Adiscover with an empty input answers JSON', async (target) => {
    expectJson(await target.discover({ input: {} }))
  }).also('L1-service-3', 'L1-endpoints-3', 'L1-discover-1', 'L1-discover-6', 'L1-routes-7'),
  check('L1-endpoints-3.a', 'the colon in the name of the action may be escaped as %3a', async (target) => {
    expectJson(await target.discover({ input: {} }, {}, 'actions/wp%3adiscover'))
  }),
  check('L1-routes-4.b', 'the result of the action is there, and is not null', async (target) => {
    const exchange = await asked(target, {})
    const body = expectJson(exchange)
    demand(typeof body === 'object' && body !== null, `the result is ${JSON.stringify(body)}`, exchange)
    const empty = isObject(body) && Object.values(body).every((member) => member === null)
    demand(!empty, 'every member of the result is null', exchange)
    await search(target, {})
  }),
  check('L1-routes-4.c', 'what the action finds holds no null, and no entity twice', async (target) => {
    const { entries, exchange } = await everything(target)
    const seen = new Set<string>()
    for (const entry of entries) {
      const { raw } = entry
      const some = isObject(raw) || isScalar(raw) || Array.isArray(raw)
      demand(some, `it holds ${JSON.stringify(raw)}`, exchange)
      const key = `${(await typeOfFound(target, entry)) ?? ''} ${keyOf(entry)}`
      demand(!seen.has(key), `it holds ${key.trim()} twice`, exchange)
      seen.add(key)
    }
  }),
  check('L1-discover-2.a', 'the discovery action accepts input.types, an array of types', async (target) => {
    await expectAccepted(target, 'types')
  }).also('L1-discover-6'),
  check('L1-discover-2.b', 'with a type in input.types nothing of another type is found', async (target) => {
    for (const name of await twoTypes(target))
      for (const input of await beside(target, { types: [name] })) await expectTypes(target, input, [name])
  }),
  check('L1-discover-2.c', 'with a type that is not there nothing is found', async (target) => {
    await everything(target)
    const exchange = await target.discover({ input: { types: ['conformance:no-such-type'] } })
    demand(exchange.status < 500, `such a type is answered with ${exchange.status}`, exchange)
    if (exchange.status >= 300)
      throw new NotApplicable(`the world refuses such a type with ${exchange.status}`)
    const { entries } = await search(target, { types: ['conformance:no-such-type'] })
    demand(entries.length === 0, `${entries.length} entities are found`, exchange)
  }),
  check('L1-discover-2.d', 'with two types in input.types entities of both are found', async (target) => {
    const [one, other] = await twoTypes(target)
    const first = (await search(target, { types: [one] })).entries.length
    const second = (await search(target, { types: [other] })).entries.length
    const { entries, exchange } = await search(target, { types: [one, other] })
    // A world may limit the number of results, but has shown that it returns at least `longest`.
    const longest = Math.max(first, second, (await everything(target)).entries.length)
    const least = Math.min(longest, first + second)
    demand(entries.length >= least, `${entries.length} are found, where there are ${least}`, exchange)
  }),
  check('L1-discover-3.a', 'the discovery action accepts input.text, free text', async (target) => {
    await expectAccepted(target, 'text')
  }).also('L1-discover-6'),
  check('L1-discover-3.b', 'a text that stands nowhere finds less than no text', async (target) => {
    await everything(target)
    let most = 0
    for (const input of await beside(target, { text: NONSENSE })) {
      const { text: _text, ...rest } = input
      const all = await search(target, rest)
      const { entries, exchange } = await search(target, input)
      const fewer = entries.length < Math.max(1, all.entries.length)
      demand(fewer, `it finds ${entries.length}, as many as no text`, exchange)
      most = Math.max(most, entries.length)
    }
    advise(most === 0, `it finds ${most}`, (await search(target, { text: NONSENSE })).exchange)
  }),
  check('L1-discover-3.c', 'a word from the title of an entity finds something', async (target) => {
    const word = wordOf((await everything(target)).entries)
    const { entries, exchange } = await search(target, { text: word })
    advise(entries.length > 0, `the word ${word} stands in a title and finds nothing`, exchange)
  }),
  check('L1-discover-2.e', 'a text that is found with one type is found with two as well', async (target) => {
    const [one, other] = await twoTypes(target)
    for (const [name, before] of [
      [one, other],
      [other, one],
    ] as const) {
      const text = wordOf((await search(target, { types: [name] })).entries)
      const alone = await search(target, { types: [name], text })
      const { entries, exchange } = await search(target, { types: [before, name], text })
      const some = entries.length > 0 || alone.entries.length === 0
      demand(some, `${text} is found in ${name} alone`, alone.exchange, exchange)
    }
  }),
  check('L1-discover-3.d', 'free text may hold quotes, operators and any letters', async (target) => {
    const answers: Exchange[] = []
    for (const text of ODD_TEXTS) answers.push(await target.discover({ input: { text } }))
    for (const one of answers) demand(one.status < 500, `it is answered with ${one.status}`, one)
    for (const one of answers) advise(one.succeeded, `it is answered with ${one.status}`, one)
  }),
  check(
    'L1-discover-4.a',
    'the discovery action accepts input.limit, and gives no more than one result for 1',
    async (target) => {
      await expectAccepted(target, 'limit')
      await expectAtMost(target, 1)
    },
  ).also('L1-discover-6'),
  check('L1-discover-4.b', 'with an input.limit of 2, 3 or 7 there are no more results', async (target) => {
    for (const most of [2, 3, 7]) await expectAtMost(target, most)
  }),
  ...(['types', 'text', 'limit'] as const).map((left, index) =>
    check(
      `L1-discover-6.${'abc'[index]}`,
      `the discovery action can be called without input.${left}, the others set`,
      async (target) => {
        expectJson(await target.discover({ input: await inputWithout(target, left) }))
      },
    ),
  ),
  check('L1-service-3.a', 'every entity that the action finds is at its type and id', async (target) => {
    const { entries } = await everything(target)
    let found = 0
    const plain = entries.filter((entry) => isPlain(entry.id))
    for (const entry of spread(plain.length === 0 ? entries : plain)) {
      const own = entry.id
      const name = await typeOfFound(target, entry)
      if (own === undefined) continue
      const exchange = await getEntity(target, name ?? (await type(target)), own)
      const { id: told } = entryFrom(expectJson(exchange), await known(target))
      demand(told === undefined || told === own, `${name} ${own} is answered with ${told}`, exchange)
      found += 1
    }
    if (found === 0)
      throw new NotAsked('the id of no found entity is recognised', { option: '--names id=...' })
  }).also('L1-entity-4'),
  check('L1-service-3.b', 'without a filter the action finds some of what lists have', async (target) => {
    const { entries } = await listing(target)
    const { entries: found, exchange } = await search(target, {})
    advise(entries.length === 0 || found.length > 0, 'it finds nothing', exchange)
  }),
  check('L1-discovery-7.c', 'what the action finds has a type that the document names', async (target) => {
    const all = await types(target)
    if (all.length === 0) throw new NotApplicable('the document names no type')
    await expectTypes(target, { limit: 50 }, all)
  }),
]
