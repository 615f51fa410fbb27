import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_ASKED } from '@worldwright/extensions/views'
import { h } from 'preact'
import { type Answer, openFake, refusal } from '../fake-world.fixture.ts'
import { moon, openMoons } from '../moons.fixture.ts'
import type { RouteTo } from '../navigation/route.ts'
import { find, get, idle, layOut, press, show, shown, startPage, textOf, until } from '../page.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')
const { ListPage } = await import('./list-page.tsx')

function Page() {
  const at = route.value
  return at.page === 'list' ? h(ListPage, { route: at }) : null
}

const things = (...ids: string[]) => ids.map((id) => ({ ...moon(id, { size: 1 }), type: 'f:thing' }))

/** Opens the list of things in a world that answers no queries. */
async function opened(list: Answer, at: Partial<RouteTo<'list'>> = {}) {
  const fake = await openFake({ answers: { 'entities/f:thing': list } })
  navigate({ page: 'list', origin: fake.origin, type: 'f:thing', ...at })
  show(fake.within(h(Page, null)))
  await until(() => find('.scroller'))
  return fake
}

/** Returns a list of two pages, of which `last` returns the second one. */
function twoPages(last: () => unknown): Answer {
  return ({ query }) =>
    query.has('cursor') ? last() : { entities: things('a', 'b'), nextCursor: 'c1', total: 3 }
}

const OFFER = 'Read all 3 entities to filter them here'
const SHORT =
  'These entities cannot be filtered here: The list of f:thing ended after 2 of 3 entities. Try again, as it may have changed. If 3 is not its total, name the total under “About this world”.'

test('the offer names the number of entities, and nothing more is read before it is accepted', async (t) => {
  layOut(t)
  const { asked } = await opened(twoPages(() => assert.fail('it read on')))
  await until(() => find('button', OFFER))
  await idle()
  assert.deepEqual(asked, ['entities/f:thing?limit=100'])
})

test('the offer states an unknown number, and counts a list that has been loaded to its end', async (t) => {
  layOut(t)
  await opened({ entities: things('a', 'b'), nextCursor: 'c1' })
  await until(() => find('button', 'Read all (an unknown number of) entities to filter them here'))
  show(null)
  await opened({ entities: things('a', 'b'), limit: 100 })
  await until(() => find('button', 'Read all 2 entities to filter them here'))
})

test('there is no offer for a single entity, for more than 200,000, or in a world that answers queries', async (t) => {
  layOut(t)
  await opened({ entities: things('a', 'b'), nextCursor: 'c1', total: 200_001 })
  await shown(
    'These entities cannot be filtered here: there are more than 200,000, the most that this page keeps in memory.',
  )
  assert.equal(find('button', /^Read all/), undefined)
  show(null)
  await opened({ entities: things('a'), total: 1 })
  await idle()
  assert.equal(find('button', /^Read all/), undefined)
  show(null)
  const list = { entities: [moon('titan'), moon('io')], total: 2 }
  const answers = { 'entities/f:moon': list, 'actions/worldwright:query': { output: { entities: [] } } }
  const fake = await openMoons({ answers })
  navigate({ page: 'list', origin: fake.origin, type: 'f:moon' })
  show(fake.within(h(Page, null)))
  await until(() => find('.scroller'))
  await idle()
  assert.equal(find('button', /^Read all/), undefined)
})

test('a list that fails or ends short is not filtered, and can be read again', async (t) => {
  layOut(t)
  let tries = 0
  const { asked } = await opened(
    twoPages(() => (++tries === 1 ? refusal(403, 'forbidden') : { entities: [], total: 2 })),
  )
  await until(() => find('button', OFFER))
  press(get('button', OFFER))
  await shown('These entities cannot be filtered here: This world refuses')
  press(get('button', OFFER))
  await shown(SHORT)
  assert.equal(find('.ask-panel'), undefined)
  assert.equal(textOf(get('h1 .count')), '3')
  assert.equal(asked.filter((path) => path.includes('cursor')).length, 2)
})

test('a cancelled read requests no further page', async (t) => {
  layOut(t)
  const page = Promise.withResolvers<object>()
  const { asked } = await opened(twoPages(() => page.promise))
  await until(() => find('button', OFFER))
  press(get('button', OFFER))
  await shown('2 of 3 rows read')
  press(get('button', 'Cancel'))
  await until(() => find('button', OFFER))
  const before = asked.length
  page.resolve({ entities: things('c'), nextCursor: 'c2', total: 3 })
  await idle()
  assert.equal(asked.length, before)
  assert.equal(find('.ask-panel'), undefined)
})

test('the filters of an address are not sent to a world that answers no queries', async (t) => {
  layOut(t)
  const { asked } = await opened(
    { entities: things('a', 'b'), total: 2 },
    { asked: { ...NOTHING_ASKED, text: 'ice' } },
  )
  await shown('The filters of this address apply once all entities are read.')
  await idle()
  assert.ok(asked.length > 0 && asked.every((path) => path.startsWith('entities/')), `${asked}`)
})
