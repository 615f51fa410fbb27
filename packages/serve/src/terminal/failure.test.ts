import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'

const DISCOVERY = 'https://sol.example/.well-known/world.json'
const EUROPA = 'https://sol.example/w/entities/sol%3Amoon/europa'

type Answer = Response | string | { protocol: string }

/** Returns the stderr of `get` if the entity request, or discovery, gets `answer`. A string is a system error code. */
async function said(answer: Answer, discovery = false): Promise<string> {
  const fetch = async (input: unknown) => {
    const isDiscovery = String(input).endsWith('world.json')
    if (isDiscovery && !discovery)
      return Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://sol.example/w' } })
    if (answer instanceof Response) return answer.clone()
    if (typeof answer !== 'string') return Response.json(answer)
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: answer }) })
  }
  const { code, out, err } = await runWith(['get', 'sol.example', 'sol:moon', 'europa'], {
    fetch: fetch as typeof globalThis.fetch,
  })
  assert.deepEqual([code, out], [1, ''])
  return err
}

const told = (status: number, code: string, message: string, details = {}, headers = {}) =>
  Response.json({ code, message, details, requestId: 'r-1' }, { status, headers })

test('a failed connection is explained according to its system error code, with advice', async () => {
  for (const [code, words] of [
    ['ENOTFOUND', 'No host is named sol.example (ENOTFOUND).'],
    ['EAI_AGAIN', 'There is no network to reach sol.example (EAI_AGAIN).'],
    ['ECONNREFUSED', 'Nothing listens at https://sol.example (ECONNREFUSED).'],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'https://sol.example does not speak https (ERR_SSL_WRONG_VERSION_NUMBER).',
    ],
    [
      'CERT_HAS_EXPIRED',
      'The certificate of https://sol.example is not one to be trusted (CERT_HAS_EXPIRED).',
    ],
    ['ECONNRESET', 'The connection to https://sol.example failed (ECONNRESET).'],
  ] as const) {
    const [what, wayOut, url] = (await said(code, true)).split('\n')
    assert.equal(what, `error: ${words} (network_error)`)
    assert.match(wayOut ?? '', /^ {2}Check /)
    assert.equal(url, `  ${DISCOVERY}`)
  }
})

test('a missing world or an unsupported version is reported with the origin', async () => {
  assert.match(
    await said(new Response('<html>'), true),
    /^error: There is no world at https:\/\/sol\.example: .* with something else\. \(not_a_world, status 200\)\n {2}Check the address\./,
  )
  assert.match(
    await said(new Response('', { status: 404 }), true),
    /it answers with status 404\. \(http_404,/,
  )
  assert.match(
    await said({ protocol: 'world/0.9' }, true),
    /^error: The world at https:\/\/sol\.example speaks world\/0\.9, and this program world\/0\.1\. .*\n {2}Look for a newer/,
  )
})

test('an error response is reported with its message, advice, URL and request id', async () => {
  const missing = told(404, 'entity_not_found', 'There is no europa.', { type: 'sol:moon', id: 'europa' })
  assert.equal(
    await said(missing),
    'error: There is no europa. (entity_not_found, status 404)\n' +
      '  See what there is: npx worldwright list sol.example sol:moon\n' +
      `  ${EUROPA}\n  Request r-1\n`,
  )
  for (const [answer, wayOut] of [
    [told(404, 'unknown_type', 'No such type.'), /npx worldwright show sol\.example\n/],
    [told(401, 'unauthenticated', 'A token is needed.'), /--token TOKEN, or WORLD_TOKEN/],
    [told(403, 'forbidden', 'No.', { scope: 'read' }), /It has to have the scope read\./],
    [told(410, 'api_moved', 'It moved.'), /names a place where the API is no longer/],
    [told(429, 'rate_limited', 'Slower.', {}, { 'retry-after': '86400' }), /Try again in 86400 s\./],
    [new Response('', { status: 401 }), /--token TOKEN/],
  ] as const) {
    assert.match(await said(answer), wayOut)
  }
})

test('advice repeats the arguments that the user typed, quoted for a shell', async () => {
  const fetch: typeof globalThis.fetch = async (input) =>
    String(input).endsWith('world.json')
      ? Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://api.example/w' } })
      : told(404, 'entity_not_found', 'There is none.')
  for (const [argv, command] of [
    [['get', 'https://sol.example', "it's a type", 'x'], "list https://sol.example 'it'\\''s a type'"],
    [['query', 'sol.example', '--similar', 'sol:moon/x'], 'show sol.example'],
    [['list', 'sol.example', 'sol:moon'], 'list sol.example sol:moon'],
  ] as const) {
    const { err } = await runWith(argv, { fetch })
    assert.equal(err.split('npx worldwright ')[1]?.split('\n')[0], command)
  }
})

test('a query of a world without queries says what to use instead', async () => {
  const answers = [
    told(404, 'unknown_action', 'There is no such action.'),
    told(400, 'unknown_action', 'There is no such action.'),
    told(404, 'nope', 'No.'),
    new Response('', { status: 405 }),
    new Response('', { status: 501 }),
  ]
  for (const answer of answers) {
    const fetch: typeof globalThis.fetch = async (input) =>
      String(input).endsWith('world.json')
        ? Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://api.example/w' } })
        : answer.clone()
    const { code, err } = await runWith(['query', 'sol.example', 'km > 1'], { fetch })
    assert.equal(code, 1)
    assert.match(
      err,
      /^error: This world has no worldwright:query, so it cannot be filtered, sorted or counted\./,
    )
    assert.match(err, /npx worldwright query sol\.example --walk, or .* discover sol\.example WORDS\n/)
  }
})

test('an invalid origin exits with 2 and shows an example of a valid one', async () => {
  const { code, err } = await runWith(['show', 'sol.example/path'])
  assert.deepEqual(
    [code, err.split('\n')[0]],
    [
      2,
      'error: An origin is scheme, host and port, such as https://sol.example or localhost:8080 (invalid_argument)',
    ],
  )
})

test('a connection to a closed port is reported', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const { code, err } = await runWith(['show', `127.0.0.1:${port}`])
  assert.equal(code, 1)
  assert.match(
    err,
    new RegExp(`^error: Nothing listens at http://127\\.0\\.0\\.1:${port} \\(ECONNREFUSED\\)\\.`),
  )
})
