import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { ORIGIN, wireTo } from '../testing/in-process.ts'
import { referenceClient } from '../testing/reference-client/client.ts'
import { tellFor } from '../testing/reference-world.ts'
import { entitiesOf, failureOf, type Run } from './client/run-client.ts'
import type { Reply, Script } from './client/scripted-world.ts'
import { apiRequests, documentFor, normalForm, Stage } from './client/stage.ts'
import { isObject, sameJson } from './shapes/json.ts'

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
  assert.deepEqual(kinds.toSorted(), ['calls', 'documents', 'errors', 'origins', 'requests', 'walks'])
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

interface Call {
  readonly operation: string
  readonly type?: string
  readonly id?: string
  readonly types?: readonly string[]
  readonly text?: string
  readonly limit?: number
}

function argumentsOf(origin: string, { operation, type, id, types = [], text, limit }: Call): string[] {
  const words = [type, id, text].filter((word) => word !== undefined)
  const size = limit === undefined ? [] : ['--limit', String(limit)]
  return [operation, origin, ...words, ...types.flatMap((one) => ['--type', one]), ...size]
}

test('calls: a client sends the expected request, or refuses the call as expected', async () => {
  for (const { rule, api, call, request, error } of cases('calls')) {
    const world = await stage.world({ api: String(api).replace(SOL, '') })
    const run = await stage.run(argumentsOf(world.origin, call as Call))
    assert.equal(codeOf(run), error, `${rule} ${JSON.stringify(call)}`)
    const [sent] = apiRequests(world)
    if (error !== undefined) assert.equal(sent, undefined, rule)
    if (!isObject(request)) continue
    assert.equal(sent?.method, request['method'])
    assert.equal(normalForm(sent?.target ?? ''), normalForm(String(request['url']).replace(SOL, '')), rule)
    for (const [name, value] of Object.entries(request['headers'] as object))
      assert.ok(sent?.headers[name]?.startsWith(value), `${rule} ${name}`)
    if (request['body'] !== undefined) assert.deepEqual(JSON.parse(sent?.body ?? ''), request['body'], rule)
  }
})

test('walks: a client lists the expected entities, or fails as expected', async () => {
  for (const { rule, pages, ids, count, cursors, error } of cases('walks')) {
    const bodies = pages as readonly unknown[]
    const list: Script = (_request, before) => {
      const at = before.filter(({ path }) => path.includes('/entities/')).length
      return { json: bodies[at] ?? {} }
    }
    const world = await stage.world({ list })
    const run = await stage.run(['list', world.origin, 'sol:moon', '--all'])
    assert.equal(codeOf(run), error, `${rule} ${JSON.stringify(pages)}`)
    if (error !== undefined) continue
    const printed = entitiesOf(run).filter(isObject)
    if (ids !== undefined)
      assert.deepEqual(
        printed.map(({ id }) => id),
        ids,
        rule,
      )
    assert.equal(printed.length, count ?? printed.length, rule)
    const sent = apiRequests(world).flatMap(({ query }) => query.get('cursor') ?? [])
    assert.deepEqual(sent, cursors, rule)
  }
})

test('errors: a client reports the expected error object', async () => {
  for (const { rule, answer, error } of cases('errors')) {
    const { status, headers, body } = answer as {
      status: number
      headers: Record<string, string>
      body: string
    }
    const world = await stage.world({
      entity: () => ({ status, headers, text: body }),
      document: (document) =>
        Object.assign(document, documentFor((document['endpoints'] as { api: string }).api)),
    })
    const failure = failureOf(await stage.run(['get', world.origin, 'sol:moon', 'europa'])) ?? {}
    for (const [name, value] of Object.entries(error as object))
      assert.ok(
        sameJson(failure[name], value),
        `${rule} ${body}: ${name} is ${JSON.stringify(failure[name])}`,
      )
  }
})
