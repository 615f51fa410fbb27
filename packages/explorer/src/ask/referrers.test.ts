import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { type Answer, refusal } from '../fake-world.fixture.ts'
import { MIMAS, openMoons, refTo, TITAN } from '../moons.fixture.ts'
import { find, get, idle, press, show, shown, startPage, textOf, texts, until } from '../page.fixture.ts'

startPage()
const { Referrers } = await import('./referrers.tsx')

/** Shows the referrers of Saturn in a world with these referrer groups. */
async function showReferrers(buckets: readonly object[], ofGroup: Answer = { output: { entities: [] } }) {
  const answer = (question: { input: { facets?: unknown } }) =>
    question.input.facets === undefined
      ? typeof ofGroup === 'function'
        ? ofGroup(question as never)
        : ofGroup
      : { output: { entities: [], facets: [{ buckets }] } }
  const fake = await openMoons({ answers: { 'actions/worldwright:query': answer as Answer } })
  show(fake.within(h(Referrers, { to: refTo('saturn') })))
  return fake
}

const MOONS = { type: 'f:moon', property: 'orbits', count: 32 }

test('referrers are grouped by type and property, with a link to the full list', async () => {
  const { asked, origin } = await showReferrers([MOONS], { output: { entities: [MIMAS, TITAN] } })
  await shown('Titan')
  assert.equal(textOf(get('h2')), 'What points here')
  assert.deepEqual(texts('h3'), ['Moon, in “Orbits”32'])
  assert.deepEqual(texts('.chip'), ['Mimas', 'Titan'])
  assert.equal(
    get('a', 'Show all 32').getAttribute('href'),
    `#/w/${encodeURIComponent(origin)}/t/f%3Amoon?is.orbits=f%3Aplanet%2Fsaturn`,
  )
  assert.deepEqual(asked, [
    'actions/worldwright:query {"facets":[{"referrers":{"type":"f:planet","id":"saturn"},"limit":50}],"limit":0}',
    'actions/worldwright:query {"types":["f:moon"],"where":{"op":"=","args":[{"property":"orbits"},{"type":"f:planet","id":"saturn"}]},"limit":6}',
  ])
})

test('an entity without referrers shows nothing', async () => {
  const { asked } = await showReferrers([])
  await until(() => asked.length > 0)
  await idle()
  assert.equal(document.body.innerHTML, '')
})

test('six groups are read initially, and the others on request', async () => {
  const groups = Array.from({ length: 8 }, (_, index) => ({ ...MOONS, property: `p${index}`, count: 1 }))
  const { asked } = await showReferrers(groups)
  await until(() => texts('h3').length === 6)
  await until(() => asked.length === 7)
  press(get('button', 'Show 2 more'))
  assert.equal(texts('h3').length, 8)
  assert.equal(find('button'), undefined)
  assert.ok(texts('a').every((text) => text === 'Show it in the list'))
})

test('a nested property is labelled by its path', async () => {
  await showReferrers([{ ...MOONS, property: ['mission', 'targetBody'] }])
  await shown('Moon, in “Mission: Target body”')
})

test('a group that cannot be read keeps its list link, and failed counting can be retried', async () => {
  await showReferrers([MOONS], refusal(403, 'forbidden'))
  await shown('This world refuses')
  get('a', 'Show all 32')
  show(null)
  const { within } = await openMoons({
    answers: { 'actions/worldwright:query': refusal(403, 'forbidden') },
  })
  show(within(h(Referrers, { to: refTo('saturn') })))
  await shown('This world refuses')
  get('button', 'Try again')
})
