import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { SILENCE } from '../fake-world.fixture.ts'
import { IO, openMoons, TITAN } from '../moons.fixture.ts'
import { get, idle, show, shown, startPage, texts, until } from '../page.fixture.ts'

startPage()
const { Neighbours } = await import('./neighbours.tsx')

/** Shows the neighbours of Mimas in a world where these entities precede and follow it. */
async function showNeighbours(before: object | undefined, after: object | undefined, isSilent = false) {
  const answer = ({ input }: { input: object }) => {
    const { where } = input as { where: { op: string } }
    if (where.op === '>' && isSilent) return SILENCE()
    const found = where.op === '<' ? before : after
    return { output: { entities: found === undefined ? [] : [found] } }
  }
  const fake = await openMoons({ answers: { 'actions/worldwright:query': answer } })
  show(fake.within(h(Neighbours, { type: 'f:moon', id: 'mimas' })))
  return fake
}

test('the previous and next entities by id are links', async () => {
  const { asked } = await showNeighbours(IO, TITAN)
  await shown('Titan')
  assert.deepEqual(texts('nav > span'), ['← Io', 'Titan →'])
  assert.equal(get('nav').getAttribute('aria-label'), 'Before and after it')
  assert.deepEqual(asked, [
    'actions/worldwright:query {"types":["f:moon"],"where":{"op":"<","args":[{"property":"id"},"mimas"]},"sort":["-id"],"limit":1}',
    'actions/worldwright:query {"types":["f:moon"],"where":{"op":">","args":[{"property":"id"},"mimas"]},"sort":["id"],"limit":1}',
  ])
})

test('the first entity has no link to a previous one, and a sole entity has no links', async () => {
  await showNeighbours(undefined, TITAN)
  await shown('Titan')
  assert.deepEqual(texts('nav > span'), ['', 'Titan →'])
  show(null)
  const { asked } = await showNeighbours(undefined, undefined)
  await until(() => asked.length === 2)
  await idle()
  assert.equal(document.body.innerHTML, '')
})

test('nothing is shown until both neighbours have been looked up', async () => {
  const { asked } = await showNeighbours(IO, TITAN, true)
  await until(() => asked.length === 2)
  await idle()
  assert.equal(document.body.innerHTML, '')
})
