import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client'
import { h } from 'preact'
import { type Answer, openFake, refusal, SILENCE } from '../fake-world.fixture.ts'
import {
  doing,
  field,
  find,
  get,
  idle,
  press,
  show,
  shown,
  startPage,
  texts,
  type,
  until,
} from '../page.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')
const { ActionPage } = await import('./action-page.tsx')

const ACTIONS = [
  { name: 'wp:discover', safe: true },
  { name: 'f:read', safe: true, title: 'Read <it>', description: 'Reads.', outputSchema: { type: 'object' } },
  { name: 'f:launch', title: 'Launch', inputSchema: { properties: { to: { type: 'string' } } } },
]

/** Opens an action's page in a fake world that returns `answer`. The page follows the address. */
async function opened(name: string, answer: Answer, input?: JsonObject) {
  const fake = await openFake({ document: { actions: ACTIONS }, answers: { [`actions/${name}`]: answer } })
  const { within, origin, asked } = fake
  navigate({ page: 'action', origin, name, ...(input && { input }) })
  function Page() {
    const at = route.value
    return at.page === 'action' ? h(ActionPage, { route: at }) : null
  }
  show(within(h(Page, null)))
  return {
    ...fake,
    to: (input?: JsonObject) => doing(() => navigate({ page: 'action', origin, name, input })),
    asked,
  }
}

const run = () => press(get('button', 'Run'))
const answers = () => texts('h2').filter((text) => text === 'Answer').length

test('a safe action runs as soon as its input is in the address', async () => {
  const { asked } = await opened('f:read', { output: { found: 'yes' } }, {})
  await until(() => answers() === 1)
  assert.deepEqual(asked, ['actions/f:read {}'])
  assert.deepEqual(texts('h1'), ['Read <it> f:read'])
  assert.deepEqual(texts('.note'), [])
  assert.ok(texts('.json-text').includes('"yes"'))
  assert.ok(texts('summary').includes('Output'))
  assert.equal(get('h2', 'Answer').closest('[aria-live]')?.getAttribute('aria-live'), 'polite')
})

test('a safe action does not run without an input in the address', async () => {
  const { asked } = await opened('f:read', { output: {} })
  await idle()
  assert.deepEqual(asked, [])
  run()
  await until(() => answers() === 1)
  assert.match(location.href, /\/a\/f%3Aread\?input=%7B%7D$/)
})

test('an unsafe action runs only when the button is pressed, not when its address is opened', async () => {
  let runs = 0
  const { asked, to } = await opened('f:launch', () => ({ output: { run: ++runs } }), { to: 'mars' })
  await idle()
  assert.deepEqual(asked, [])
  assert.deepEqual(texts('.note'), [
    'This action may change something in the world. It runs only when you press Run.',
  ])
  assert.equal(field('To').value, 'mars')
  run()
  await until(() => answers() === 1)
  run()
  await until(() => texts('.json-number').includes('2'))
  // Leaving and returning drops the answer and does not run the action again.
  to({ to: 'venus' })
  to({ to: 'mars' })
  await idle()
  assert.deepEqual([runs, answers()], [2, 0])
  assert.deepEqual(asked, ['actions/f:launch {"to":"mars"}', 'actions/f:launch {"to":"mars"}'])
})

test('running a changed input replaces the input in the address', async () => {
  const { asked } = await opened('f:launch', { output: {} }, { to: 'mars' })
  const before = history.length
  type(field('To'), 'venus')
  run()
  await until(() => answers() === 1)
  assert.deepEqual(asked, ['actions/f:launch {"to":"venus"}'])
  assert.deepEqual(route.value.page === 'action' && route.value.input, { to: 'venus' })
  assert.equal(history.length, before)
})

test('an action that the world does not list is treated as unsafe', async () => {
  const { asked } = await opened('f:unknown', { output: {} }, { a: 1 })
  await idle()
  assert.deepEqual(asked, [])
  assert.equal(texts('.note')[0], 'The world does not list this action.')
  assert.equal(texts('.note').length, 2)
  assert.equal(texts('h1')[0], 'f:unknown f:unknown')
})

test('if an input is refused, the reason is shown and the input stays in the form', async () => {
  await opened('f:launch', refusal(400, 'invalid_input', { message: 'No such planet.' }), { to: 'vulcan' })
  run()
  await shown('The world does not accept this request')
  assert.ok(texts('dd').includes('No such planet.'))
  assert.equal(field('To').value, 'vulcan')
  assert.equal(answers(), 0)
})

for (const [status, code, title] of [
  [401, 'unauthenticated', 'This needs a token'],
  [403, 'forbidden', 'This world refuses'],
  [404, 'unknown_action', 'There is no such entity'],
  [429, 'rate_limited', 'The world asks you to wait'],
  [500, 'internal_error', 'The world has a fault'],
  [504, 'action_timeout', 'The world takes too long'],
] as const) {
  test(`a run that fails with ${code} shows: ${title}`, async () => {
    await opened('f:launch', refusal(status, code))
    type(field('To'), 'mars')
    run()
    await shown(title)
    get('button', 'Try again')
  })
}

test('the retry button repeats a failed unsafe action', async () => {
  let runs = 0
  const answer = () => (++runs === 1 ? refusal(500, 'internal_error') : { output: {} })
  await opened('f:launch', answer, { to: 'mars' })
  run()
  await shown('The world has a fault')
  press(get('button', 'Try again'))
  await until(() => answers() === 1)
  assert.equal(runs, 2)
})

test('a running action can be stopped but not started again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await opened('f:launch', SILENCE, { to: 'mars' })
  run()
  await until(() => find('.waiting'))
  assert.equal(get<HTMLButtonElement>('button', 'Running…').disabled, true)
  doing(() => t.mock.timers.tick(3_000))
  press(get('button', 'Stop waiting'))
  assert.equal(find('.waiting'), undefined)
  get('button', 'Run')
})

test('an answer links to its entities and lists its warnings', async () => {
  const entities = [
    { type: 'f:thing', id: 'a', title: 'One <i>' },
    { type: 'f:thing', id: '' },
    { type: 'f:thing', id: 'b', title: 5 },
    'nothing',
  ]
  const warnings = [{ code: 'old', message: 'This is <old>.' }, { code: 'odd' }, null]
  const { origin } = await opened('f:read', { output: { entities }, warnings }, {})
  await until(() => answers() === 1)
  assert.deepEqual(texts('a.chip'), ['One <i>', 'b'])
  assert.equal(get('a.chip').getAttribute('href'), `#/w/${encodeURIComponent(origin)}/e/f%3Athing/a`)
  assert.deepEqual(texts('.note li'), ['This is <old>.', 'odd'])
  assert.equal(find('i'), undefined)
})

test('an answer without entities is shown as JSON', async () => {
  await opened('f:read', { output: 'a text', warnings: 'none' }, {})
  await until(() => answers() === 1)
  assert.ok(texts('.json-text').includes('"a text"'))
  assert.equal(find('.note'), undefined)
})
