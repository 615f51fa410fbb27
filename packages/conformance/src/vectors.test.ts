import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { ORIGIN, wireTo } from '../testing/in-process.ts'
import { referenceClient } from '../testing/reference-client/client.ts'
import { tellFor } from '../testing/reference-world.ts'
import { failureOf, type Run, valuesOf } from './client/run-client.ts'
import type { Received, Reply, Script } from './client/scripted-world.ts'
import { apiRequests, normalForm, Stage } from './client/stage.ts'
import { isObject, parseJson, sameJson } from './json/json.ts'

// Every vector is run against the reference world or the reference client.

type Case = Readonly<Record<string, unknown>> & { readonly rule: string }

const FOLDER = new URL('../../../docs/spec/vectors/', import.meta.url)
const SOL = /https?:\/\/(sol\.example|127\.0\.0\.1:8080)/g

function cases<C extends Case = Case>(kind: string): C[] {
  return JSON.parse(readFileSync(new URL(`${kind}.json`, FOLDER), 'utf8')).cases
}

const stage = new Stage(referenceClient('none'), { timeout: 8_000 })
after(() => stage.close())

function codeOf(run: Run): unknown {
  return failureOf(run)?.['code']
}

test('every vector file is covered by this test and described in the README', () => {
  const kinds = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''))
  assert.deepEqual(kinds.toSorted(), [
    'calls',
    'cursors',
    'documents',
    'errors',
    'origins',
    'requests',
    'walks',
  ])
  const page = readFileSync(new URL('README.md', FOLDER), 'utf8')
  for (const kind of kinds) assert.ok(page.includes(`\`${kind}.json\``), kind)
})

test('requests: a world responds as each vector expects', async () => {
  const wire = wireTo((asked) => tellFor(ORIGIN, {}, {}, asked))
  for (const { rule, request, answer } of cases<RequestCase>('requests')) {
    const { method, path, headers = {}, body = '' } = request
    const target = `/there/v0/${path.replace('{type}', 'ref%3Atree').replace('{id}', 'amber-0')}`
    const fields = { host: 'world.test', accept: 'application/json', ...headers }
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = `${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${body.replace('{type}', 'ref:tree')}`
    const exchange = await wire.send(ORIGIN, Buffer.from(text), { timeout: 1_000 })
    const { status, json } = exchange
    const told = `${rule}: ${method} ${path} ${body} is answered with ${exchange.text}`
    assert.equal(status < 400, answer.success, told)
    if (answer.status !== undefined) assert.equal(status, answer.status, told)
    if (answer.code !== undefined) assert.equal(isObject(json) && json['code'], answer.code, told)
  }
})

interface RequestCase extends Case {
  readonly request: { method: string; path: string; headers?: Record<string, string>; body?: string }
  readonly answer: { success: boolean; status?: number; code?: string }
}

test('origins: a client requests the discovery document at the expected URL', async () => {
  for (const { rule, origin, url, error } of cases('origins')) {
    const world = await stage.world()
    const run = await stage.run(['show', String(origin).replace(SOL, world.origin)])
    assert.equal(codeOf(run), error, `${rule} ${origin}`)
    const asked = world.requests.map(({ target }) => world.origin + target)
    assert.deepEqual(asked, error === undefined ? [String(url).replace(SOL, world.origin)] : [], rule)
  }
})

test('documents: a client uses the expected API, or fails as expected', async () => {
  for (const { rule, body, api, error } of cases('documents')) {
    const world = await stage.world({ discovery: ({ headers }) => played(body, headers['host']) })
    const run = await stage.run(['get', world.origin, 'sol:moon', 'europa'])
    assert.equal(codeOf(run), error, `${rule} ${body}`)
    const expected = error === undefined ? [`${String(api).replace(SOL, '')}/entities/sol%3Amoon/europa`] : []
    assert.deepEqual(
      apiRequests(world).map(({ target }) => target),
      expected,
      rule,
    )
  }
})

function played(body: unknown, host: string | undefined): Reply {
  return {
    text: String(body).replace(SOL, `http://${host}`),
    headers: { 'content-type': 'application/json' },
  }
}

/** A request that a client must send. */
interface Wanted {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

function isSame(wanted: Wanted, { method, target, path, headers, body }: Received): boolean {
  return (
    method === wanted.method &&
    normalForm(target) === normalForm(wanted.url.replace(SOL, '')) &&
    !path.includes(':') &&
    Object.entries(wanted.headers).every(([name, value]) => headers[name]?.startsWith(value)) &&
    sameJson(parseJson(body), parseJson(wanted.body ?? ''))
  )
}

/** A case that a client plays: a call with its answers, and what the client must send, print and report. */
interface PlayedCase extends Case {
  readonly profile: string
  readonly arguments: readonly string[]
  readonly api: string
  readonly answers: readonly { status: number; headers: Record<string, string>; body: string }[]
  readonly requests?: readonly Wanted[]
  readonly ids?: readonly string[]
  readonly count?: number
  readonly error?: Readonly<Record<string, unknown>>
}

/** Plays a case with a client. Returns what differs from the case, or undefined. */
async function difference(client: string, played: PlayedCase): Promise<string | undefined> {
  const own = new Stage(referenceClient(client), { timeout: 8_000 })
  try {
    const answer: Script = (_, before) => {
      const at = before.filter(({ path }) => !path.startsWith('/.well-known')).length
      const { status, headers, body } = played.answers[at] ?? played.answers.at(-1) ?? assert.fail()
      return { status, headers, text: body }
    }
    const api = played.api.replace(SOL, '')
    const world = await own.world({ api, list: answer, entity: answer, discover: answer })
    const here = (text: string) => text.replaceAll('https://sol.example', world.origin)
    const run = await own.run(played.arguments.map(here).slice(0, -1))
    const sent = apiRequests(world)
    const { requests, ids, count, error } = played
    const failure = failureOf(run)
    if (requests && requests.length !== sent.length) return `${sent.length} requests were sent`
    const odd = sent.find((got, at) => requests?.[at] && !isSame(requests[at], got))
    if (odd) return `${odd.method} ${odd.target} ${odd.body} was sent`
    if (ids && !sameJson(valuesOf(run, 'id'), ids)) return `${valuesOf(run, 'id')} were printed`
    if (count !== undefined && valuesOf(run, 'id').length !== count) return 'another count was printed'
    if (error === undefined) return requests && run.exitCode !== 0 ? `it failed: ${run.stderr}` : undefined
    const missing = ['status', 'code', 'details', 'url'].find((name) => !(name in (failure ?? {})))
    if (missing) return `the error has no ${missing}`
    const wrong = Object.entries(error).find(
      ([name, value]) => !sameJson(failure?.[name], typeof value === 'string' ? here(value) : value),
    )
    return wrong && `${wrong[0]} is ${JSON.stringify(failure?.[wrong[0]])}`
  } finally {
    await own.close()
  }
}

const PLAYED = ['calls', 'cursors', 'errors', 'walks'].flatMap((kind) => cases<PlayedCase>(kind))

test('calls, cursors, errors and walks: a client sends, prints and reports what each vector expects', async () => {
  for (const played of PLAYED) {
    const told = `${played.rule} ${played.arguments}`
    assert.equal(await difference('none', played), undefined, told)
  }
})

test('at least 60 calls, cursors, errors and walks need only Level 1', () => {
  assert.ok(PLAYED.filter(({ profile }) => profile === 'level-1').length >= 60)
})

/** For each fault of a client, the rule whose vectors notice it. */
const NOTICED: Readonly<Record<string, string>> = {
  'raw-colon': 'L1-endpoints-2',
  'raw-colon-in-action': 'L1-endpoints-3',
  'folds-type': 'L1-entity-3',
  'normalises-id': 'L1-entity-4',
  'no-wrapper': 'L1-discover-5',
  'no-content-type': 'L1-discover-5',
  'no-accept': 'L1-endpoints-2',
  'builtin-route': 'L1-endpoints-1',
  'rewrites-version': 'L1-versioning-3',
  'stops-after-two-pages': 'L1-endpoints-4',
  'stops-at-empty-page': 'L1-endpoints-4',
  'stops-at-short-page': 'L1-endpoints-5',
  'cursor-parsed': 'L1-endpoints-4',
  'cursor-encoded-twice': 'L1-endpoints-4',
  'error-without-details': 'L1-errors-2',
  'swallows-errors': 'L1-errors-2',
}

test('the vectors of a rule notice a client that breaks it', async () => {
  for (const [fault, rule] of Object.entries(NOTICED)) {
    const own = PLAYED.filter((played) => played.rule === rule)
    const found = await Promise.all(own.map((played) => difference(fault, played)))
    assert.ok(
      found.some((one) => one !== undefined),
      fault,
    )
  }
})
