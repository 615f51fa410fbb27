/** Faults of the discovery action. */
import {
  action,
  answers,
  asking,
  asks,
  type Body,
  header,
  type Kind,
  type Proof,
  page200,
  path,
  sends,
  success,
  swap,
  text,
} from '../breakages.ts'
import { entries } from '../dialect-breakages.ts'
import type { Fault } from './fault.ts'

const found = success(action)

/** Changes the input before the world reads it; what is not JSON stays unchanged. */
function given(change: (input: Body) => void): Proof {
  return asks((asked) => {
    if (!asked.path.endsWith('wp%3Adiscover')) return
    try {
      const body = JSON.parse(asked.body.toString())
      if (typeof body.input === 'object' && !Array.isArray(body.input)) change(body.input)
      asked.body = Buffer.from(JSON.stringify(body))
    } catch {
      // The world refuses it.
    }
  })
}

/** Selects calls with these members of the input. */
function having(kind: Kind, ...names: string[]): Kind {
  return (asked, told) => kind(asked, told) && names.every((name) => asked.body.includes(`"${name}"`))
}

const json = JSON.stringify

/** Gives an entity an id that none has. */
function lost(entry: unknown): unknown {
  return JSON.parse(json(entry).replace(/"(id|slug)":"/, '"$1":"lost-'))
}

/** Faults of the discovery action, by the rule that they break. */
export const discoverFaults: readonly Fault[] = [
  ['the action is not there', 'L1-routes-4', () => answers(action, 404)],
  [
    'the action is there with a plain colon alone',
    'L1-endpoints-3',
    () => path('wp%3Adiscover', 'wp%253Adiscover'),
  ],
  [
    '%3a in the name of the action is not decoded',
    'L1-endpoints-3',
    () => path('wp%3adiscover', 'wp%253adiscover'),
  ],
  ['the action is a fault of the server', 'L1-service-3', () => answers(found, 500)],
  ['the result is null', 'L1-routes-4', () => text(found, () => 'null')],
  ['the result is an empty object', 'L1-routes-4', () => text(found, () => '{"entities":null}')],
  ['the result is true', 'L1-routes-4', () => text(found, () => 'true')],
  ['the result is a web page', 'L1-endpoints-6', () => page200(found)],
  ['the result is an empty 204', 'L1-routes-4', () => answers(found, 204)],
  ['the result is an error with the status 200', 'L1-errors-1', () => answers(found, 200)],
  ['the result is text/html', 'L1-endpoints-6', () => header(found, 'content-type', 'text/html')],
  ['the result says gzip and is plain', 'L1-endpoints-6', () => header(found, 'content-encoding', 'gzip')],
  ['the result is cut off', 'L1-endpoints-6', () => sends(found, (body) => body.slice(0, -2))],
  [
    'the result of a search for text is cut off',
    'L1-endpoints-6',
    () => sends(having(found, 'text'), (body) => body.slice(0, -2)),
  ],
  [
    'a member of the result stands twice',
    'L1-endpoints-6',
    () => text(found, (body) => body.replace(/"(title|name)":/, '"$1":"Another","$1":')),
  ],
  [
    'the input is ignored',
    'L1-discover-1',
    () => given((own) => Object.assign(own, { types: undefined, text: undefined, limit: undefined })),
  ],
  ['a body with input is refused', 'L1-routes-7', () => answers(asking('"input"', action), 400)],
  ['an empty input is refused', 'L1-discover-6', () => answers(asking('{"input":{}}'), 400)],
  ['input.types is ignored', 'L1-discover-2', () => given((own) => delete own['types'])],
  ['input.types is refused', 'L1-discover-2', () => answers(having(action, 'types'), 400)],
  [
    'only the first of input.types counts',
    'L1-discover-2',
    () =>
      given((own) => {
        if (Array.isArray(own['types'])) own['types'] = own['types'].slice(0, 1)
      }),
  ],
  [
    'input.types is ignored beside a text',
    'L1-discover-2',
    () => given((own) => 'text' in own && delete own['types']),
  ],
  [
    'input.types is ignored beside a limit',
    'L1-discover-2',
    () => given((own) => 'limit' in own && delete own['types']),
  ],
  ['an entity of another type is found as well', 'L1-discover-2', ({ types }) => alsoOf(types)],
  ['an entity of another type is found first', 'L1-discover-2', ({ types }) => alsoOf(types, true)],
  [
    'a type that is not there finds everything',
    'L1-discover-2',
    () => given((own) => json(own).includes('no-such-type') && delete own['types']),
  ],
  [
    'a type that is not there is a fault of the server',
    'L1-errors-1',
    () => answers(asking('no-such-type', action), 500),
  ],
  ['input.text is ignored', 'L1-discover-3', () => given((own) => delete own['text'])],
  ['input.text is refused', 'L1-discover-3', () => answers(having(action, 'text'), 400)],
  [
    'input.text is ignored beside a limit',
    'L1-discover-3',
    () => given((own) => 'limit' in own && delete own['text']),
  ],
  [
    'input.text is ignored beside types',
    'L1-discover-3',
    () => given((own) => 'types' in own && delete own['text']),
  ],
  [
    'a text that stands nowhere finds an entity',
    'L1-discover-3',
    () =>
      given((own) => {
        if (String(own['text']).includes('xqzvwk')) Object.assign(own, { text: '', limit: 1 })
      }),
  ],
  [
    'a text with quotes is a fault of the server',
    'L1-discover-3',
    () => answers((asked) => /"text":"[^"]*(\\"|')/.test(asked.body.toString()), 500),
  ],
  [
    'a text with brackets is a fault of the server',
    'L1-discover-3',
    () => answers((asked) => /"text":".*[([]/.test(asked.body.toString()), 500),
  ],
  [
    'a text beyond ASCII is refused',
    'L1-discover-3',
    () => answers((asked) => /[^\0-\x7f]/.test(asked.body.toString()), 400),
  ],
  ['input.limit is ignored', 'L1-discover-4', () => given((own) => delete own['limit'])],
  ['input.limit is refused', 'L1-discover-4', () => answers(having(action, 'limit'), 400)],
  [
    'input.limit is one less than what is found',
    'L1-discover-4',
    () =>
      given((own) => {
        if (typeof own['limit'] === 'number') own['limit'] += 1
      }),
  ],
  [
    'input.limit is ignored beyond 2',
    'L1-discover-4',
    () => given((own) => Number(own['limit']) > 2 && delete own['limit']),
  ],
  [
    'input.limit is ignored beside types',
    'L1-discover-4',
    () => given((own) => 'types' in own && delete own['limit']),
  ],
  [
    'input.limit is ignored beside a text',
    'L1-discover-4',
    () => given((own) => 'text' in own && delete own['limit']),
  ],
  [
    'a call without types is refused',
    'L1-discover-6',
    () =>
      answers(
        (asked, told) =>
          action(asked, told) && !asked.body.includes('"types"') && asked.body.includes('"limit"'),
        400,
      ),
  ],
  [
    'a call without a limit is refused',
    'L1-discover-6',
    () => answers((asked, told) => action(asked, told) && !asked.body.includes('"limit"'), 400),
  ],
  [
    'a call without a text is refused',
    'L1-discover-6',
    () => answers((asked, told) => action(asked, told) && !asked.body.includes('"text"'), 400),
  ],
  ['nothing is ever found', 'L1-service-3', () => entries(() => [], action)],
  ['a word from a title finds nothing', 'L1-discover-3', () => entries(() => [], having(action, 'text'))],
  ['an entity is found twice', 'L1-routes-4', () => entries((all) => [...all.slice(0, 1), ...all], action)],
  ['null is found', 'L1-routes-4', () => entries((all) => [...all, null], action)],
  ['all that is found is not there', 'L1-service-3', () => entries((all) => all.map(lost), action)],
  [
    'the third that is found is not there',
    'L1-service-3',
    () => entries((all) => all.map((one, at) => (at === 2 ? lost(one) : one)), action),
  ],
  [
    'what is found has the type of another',
    'L1-service-3',
    ({ types }) => swap(found, `"${types[0]}"`, `"${types[1]}"`),
  ],
]

/** Adds an entity of the other type to what is found with one type. */
function alsoOf([one, other]: readonly [string, string], first = false): Proof {
  const kept: Record<string, unknown> = {}
  return entries((all, { body }) => {
    for (const type of [one, other]) kept[type] ??= all.find((entry) => json(entry).includes(`"${type}"`))
    const asked = [one, other].filter((type) => body.includes(`"${type}"`))
    const wrong = kept[asked[0] === one ? other : one]
    if (asked.length !== 1 || wrong === undefined) return all
    return first ? [wrong, ...all.slice(1)] : [...all.slice(0, -1), wrong]
  }, action)
}
