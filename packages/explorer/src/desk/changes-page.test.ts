import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { type FakeWorld, openFake, refusal } from '../fake-world.fixture.ts'
import { find, get, press, show, shown, startPage, textOf, texts, until } from '../page.fixture.ts'

startPage()
const { enterWorld } = await import('../world/worlds.ts')
const { ChangesPage } = await import('./changes-page.tsx')

const LOG = { 'worldwright:changes': { path: 'changes', formats: ['application/json'], retentionDays: 90 } }
const type = 'f:thing'
const TIMES = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-02T10:30:00Z' }

/** Returns a put of an entity at a step of the log. */
function put(number: number, more: object = {}) {
  const entity = { type, id: `t${number}`, revision: `r${number}`, attributes: {}, ...TIMES, ...more }
  return {
    op: 'put',
    type,
    id: entity.id,
    revision: entity.revision,
    position: `p${number}`,
    next: `n${number}`,
    entity,
  }
}

/** Opens the page of a world whose log answers `log` to each `since`. */
async function opened(log: (since: string | null) => unknown, world: FakeWorld = {}, route: object = {}) {
  const { document, answers } = world
  const fake = await openFake({
    ...world,
    document: { extensions: LOG, ...document },
    answers: { changes: ({ query }) => log(query.get('since')), ...answers },
  })
  show(fake.within(h(ChangesPage, { route: { page: 'changes', origin: fake.origin, ...route } })))
  return fake
}

const page = (changes: object[], next: string, more = false) => ({ changes, next, more })
const items = () => texts('.changes > li')

test('a short log is shown newest first, with kinds, times and links, and removed entities without them', async () => {
  const hostile = '<b>Two</b>\u202e'
  const changes = [
    put(1, { updatedAt: TIMES.createdAt }),
    put(2, { title: hostile, type, id: 'x' }),
    put(3, { createdAt: undefined, updatedAt: 'soon' }),
    { op: 'delete', type: 'f:unknown', id: 'gone', position: 'p4', next: 'n4' },
  ]
  const { asked } = await opened(() => page(changes, 'n4'))
  await until(() => items().length === 4)
  assert.deepEqual(items(), [
    'Removed gone Unknown',
    't3 Thingsoon',
    'Changed <b>Two</b>U+202E Thing2 January 2026 at 10:30 UTC',
    'Added t1 Thing1 January 2026 at 00:00 UTC',
  ])
  assert.deepEqual(texts('.changes a'), ['t3', '<b>Two</b>U+202E', 't1'])
  assert.match(textOf(get('header')), /^What changed The log holds .* kept: 90\.$/)
  assert.deepEqual(asked, ['changes?limit=1000', 'changes?entities=true&limit=1000'])
})

test('of a log of one page, only its end is read with entities', async () => {
  const all = Array.from({ length: 250 }, (_, at) => put(at))
  const { asked } = await opened((since) => page(since ? all.slice(-100) : all, 'n249'), {}, { type })
  await until(() => items().length === 100)
  assert.match(items()[0] ?? '', /^Changed t249 /)
  assert.match(items()[99] ?? '', /^Changed t150 /)
  assert.deepEqual(asked, [
    `changes?types=f%3Athing&limit=1000`,
    `changes?since=n149&types=f%3Athing&entities=true&limit=1000`,
  ])
  assert.equal(textOf(get('h1')), 'What changed Thing')
  assert.match(textOf(get('header')), /longer than what is shown here/)
})

const LONG = (since: string | null) => (since ? page([], 'end') : page([put(0)], 'n0', true))

test('of a longer log, a query finds the entities that changed last, and the page says what is missing', async () => {
  const entities = [put(9).entity, put(8).entity]
  const { asked } = await opened(LONG, {
    document: {
      actions: [{ name: 'wp:discover' }, { name: 'worldwright:query', safe: true }],
      extensions: { ...LOG, 'worldwright:query': { types: { [type]: [] } } },
    },
    answers: { 'actions/worldwright:query': { output: { entities } } },
  })
  await until(() => items().length === 2)
  assert.match(items().join(), /^Changed t9 .*,Changed t8 /)
  assert.match(textOf(get('header')), /longer than what is shown here/)
  assert.deepEqual(asked, [
    'changes?limit=1000',
    'changes?since=now&limit=1000',
    'actions/worldwright:query {"sort":["-updatedAt"],"limit":100}',
  ])
})

test('of a longer log without queries nothing is known yet', async () => {
  await opened(LONG)
  await shown('None yet')
  assert.match(textOf(get('header')), /longer than what is shown here/)
})

test('changes are followed, with earlier values only of entities that were received', async () => {
  const follow = [
    put(5, { id: 't1', title: 'One', attributes: { size: 2, same: [1] } }),
    put(5, { id: 't1', title: 'One', attributes: { size: 2, same: [1] } }),
    put(6, { id: 'other', attributes: { size: 3 } }),
    { op: 'delete', type, id: 't2', position: 'p7', next: 'n7' },
    put(8, { id: 't2', createdAt: '2026-02-01T00:00:00Z', updatedAt: '2026-02-01T00:00:00Z' }),
  ]
  const start = [put(1, { attributes: { size: 1, same: [1] } }), put(2, { title: 'Two' })]
  let isWritten = false
  await opened((since) =>
    since === 'n2'
      ? page(isWritten ? follow : [], isWritten ? 'n8' : 'n2')
      : since
        ? page([], since)
        : page(start, 'n2'),
  )
  await until(() => items().length === 2)
  isWritten = true
  await until(() => items().length === 6)
  assert.deepEqual(
    items().map((text) => text.replace(/ Thing.*UTC| Thing$/, '')),
    [
      'Added t2',
      'Removed Two',
      'Changed other',
      'Changed OneTitle no valueOneSize 12',
      'Changed Two',
      'Changed t1',
    ],
  )
})

test('a log that never rests is shown all the while, and not only once it rests', async () => {
  let last = 1
  await opened(async (since) => {
    if (!since) return page([put(1)], 'n1')
    await new Promise((resolve) => setTimeout(resolve, 20))
    last += 1
    return page([put(last)], `n${last}`, true)
  })
  await until(() => items().length > 5)
  assert.ok(last < 500, `shown after ${last} changes`)
})

test('what one token has read is not shown once it is forgotten or changed', async () => {
  for (const token of [undefined, 'another']) {
    let isOpen = true
    const world = await opened(() => (isOpen ? page([put(1)], 'n1') : refusal(401, 'unauthorized')))
    await until(() => items().length === 1)
    isOpen = false
    show(null)
    enterWorld(world.origin, token)
    show(world.within(h(ChangesPage, { route: { page: 'changes', origin: world.origin } })))
    await until(() => find('.failure'))
    assert.deepEqual(items(), [])
  }
})

test('an offset that expired is a failure, and a retry reads the log again', async () => {
  let reads = 0
  await opened((since) => {
    if (since) return refusal(410, 'changes_expired')
    reads += 1
    return page([put(reads)], 'n1')
  })
  await shown('changes_expired')
  assert.deepEqual([items().length, reads], [1, 2])
  press(get('button', 'Try again'))
  await until(() => reads >= 4)
})

test('a world without a change log has no such page', async () => {
  const { asked } = await opened(() => page([], 'n'), { document: { extensions: {} } })
  await shown('unsupported_extension')
  assert.equal(find('.changes > li'), undefined)
  assert.deepEqual(asked, [])
})
