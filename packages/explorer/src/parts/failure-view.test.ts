import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { WorldError } from '@worldwright/client'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { doing, find, fire, get, press, show, startPage, textOf, texts } from '../page.fixture.ts'
import { type Failure, failureFrom } from '../world/failure.ts'

startPage()
const { FailureView, PartFailure } = await import('./failure-view.tsx')

const origin = 'https://sol.example'
const error = (code: string, status = 0, more: object = {}) =>
  new WorldError(code, undefined, { status, url: `${origin}/api/entities/a%3Ab`, ...more })
const online = { isOnline: true, isSecure: true }
const retries = { count: 0 }
const onRetry = () => {
  retries.count += 1
}
const view = (failure: Failure, more: object = {}) => show(h(FailureView, { failure, onRetry, ...more }))

/** Sets whether the browser reports that it is online. */
function beOnline(t: TestContext, isOnline: boolean) {
  t.mock.getter(navigator, 'onLine', () => isOnline)
}

for (const [thrown, title, isDocument] of [
  [error('not_a_world', 200), 'This is not a world', true],
  [error('http_404', 404), 'This is not a world', true],
  [error('unsupported_protocol', 200), 'This world speaks another version', true],
  [error('invalid_argument'), 'This is not the address of a world', true],
  [error('unauthenticated', 401), 'This world refuses', true],
  [error('network_error'), 'No answer came', true],
  [error('network_error', 0, { url: 'http://sol.example/' }), 'A secure page may not read from plain http'],
  [error('timeout'), 'The world takes too long'],
  [error('action_timeout', 504), 'The world takes too long'],
  [error('http_408', 408), 'The world takes too long'],
  [error('entity_not_found', 404), 'There is no such entity'],
  [error('unknown_type', 404), 'There is no such type'],
  [error('unauthenticated', 401), 'This needs a token'],
  [error('insecure_endpoint'), 'The token may not go to the API of this world'],
  [error('forbidden', 403), 'This world refuses'],
  [error('rate_limited', 429), 'The world asks you to wait'],
  [error('http_503', 503), 'The world asks you to wait'],
  [error('api_moved', 410), 'The world has moved'],
  [error('world_mismatch'), 'The world has moved'],
  [error('invalid_cursor', 400), 'This place in the list is gone'],
  [error('invalid_argument'), 'The world does not accept this request'],
  [error('invalid_input', 422), 'The world does not accept this request'],
  [error('internal_error', 500), 'The world has a fault'],
  [error('invalid_response', 200), 'This answer cannot be read'],
  [error('response_too_large', 200), 'This answer cannot be read'],
  [error('pagination_loop', 200), 'This answer cannot be read'],
  [error('invalid_response', 200, { details: { members: ['rows'] } }), 'This answer was not recognised'],
  [new TypeError('x is undefined'), 'This page has a fault'],
] as [Error, string, boolean?][]) {
  const { code = thrown.name, status = '' } = thrown as Partial<WorldError>
  test(`${code} ${status}${isDocument ? ' of the document' : ''} is shown as: ${title}`, () => {
    view(failureFrom(thrown, online, isDocument))
    assert.equal(textOf(get('[role=alert] h1')), title)
    assert.equal(get('h1').tabIndex, -1)
    get('button', 'Try again')
  })
}

test("a failure shows the world's message, escaped, and facts for the operator of the world", () => {
  const thrown = new WorldError('invalid_input', '<b>No\u202e</b>', {
    status: 422,
    url: `${origin}/api/actions/x`,
    requestId: 'r-1',
    details: { path: '/limit' },
  })
  view(failureFrom(thrown, online))
  assert.deepEqual(texts('dt'), ['It says', 'Code', 'Status', 'Address', 'Request id', 'Details'])
  assert.deepEqual(texts('dd'), [
    '<b>NoU+202E</b>',
    'invalid_input',
    '422',
    `${origin}/api/actions/x`,
    'r-1',
    '{"path":"/limit"}',
  ])
  assert.equal(find('b'), undefined)
})

test('a failure without a response shows no status and no client message', () => {
  view(failureFrom(new WorldError('timeout', `${origin}/x: too slow`, { url: `${origin}/x` }), online))
  assert.deepEqual(texts('dt'), ['Code', 'Address'])
  assert.deepEqual(texts('dd'), ['timeout', `${origin}/x`])
})

test('a failure of the page has links, and a failure of a part has only a retry button', async () => {
  view(failureFrom(error('forbidden', 403), online), { origin })
  assert.deepEqual(texts('a'), ['To the first page of this world', 'Open another world'])
  assert.equal(get('a').getAttribute('href'), '#/w/https%3A%2F%2Fsol.example/')
  view(failureFrom(error('forbidden', 403), online))
  assert.deepEqual(texts('a'), ['Open another world'])
  const { within } = await openFake()
  const failure = failureFrom(error('forbidden', 403), online)
  show(within(h(PartFailure, { of: { failure, retry: onRetry } })))
  assert.equal(textOf(get('h2')), 'This world refuses')
  assert.deepEqual(texts('a'), [])
  const { count } = retries
  press(get('button', 'Try again'))
  assert.equal(retries.count, count + 1)
  show(within(h(PartFailure, { of: { failure: undefined, retry: onRetry } })))
  assert.equal(document.body.innerHTML, '')
})

test('a token form is shown if a token may help and the world is known', () => {
  for (const [code, isAsked] of [
    ['unauthenticated', true],
    ['insecure_endpoint', true],
    ['forbidden', false],
  ] as const) {
    view(failureFrom(error(code), online), { origin, key: code })
    assert.equal(find('input[type=password]') !== undefined, isAsked, code)
  }
  view(failureFrom(error('unauthenticated'), online))
  assert.equal(find('input[type=password]'), undefined)
})

test('the retry button is disabled and counts down the wait that the world requested', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  view(failureFrom(error('rate_limited', 429, { retryAfter: 1.5 }), online))
  const button = get<HTMLButtonElement>('button')
  assert.deepEqual([textOf(button), button.disabled], ['Try again in 2 s', true])
  doing(() => t.mock.timers.tick(1_000))
  assert.deepEqual([textOf(button), button.disabled], ['Try again in 1 s', true])
  doing(() => t.mock.timers.tick(1_000))
  assert.deepEqual([textOf(button), button.disabled], ['Try again', false])
})

test('the page retries automatically when the browser is online again, if that may help', (t) => {
  beOnline(t, false)
  retries.count = 0
  view(failureFrom(error('network_error')))
  assert.equal(textOf(get('h1')), 'You are offline')
  fire(window, new window.Event('online'))
  assert.equal(retries.count, 1)
  view(failureFrom(error('forbidden', 403)))
  fire(window, new window.Event('online'))
  assert.equal(retries.count, 1)
  show(null)
  fire(window, new window.Event('online'))
  assert.equal(retries.count, 1)
})

test('the page retries immediately if the browser is already online again', (t) => {
  beOnline(t, true)
  retries.count = 0
  view(failureFrom(error('network_error'), { isOnline: false, isSecure: true }))
  assert.equal(retries.count, 1)
})
