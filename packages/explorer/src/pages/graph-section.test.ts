import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { moon, openMoons, refTo } from '../moons.fixture.ts'
import { find, get, idle, press, show, startPage, texts, until } from '../page.fixture.ts'

startPage()
const { GraphSection } = await import('./graph-section.tsx')

test('there is no graph if the world does not support queries and the entity has no references', async () => {
  const { within } = await openFake()
  show(within(h(GraphSection, { entity: moon('io') })))
  assert.equal(document.body.innerHTML, '')
  show(within(h(GraphSection, { entity: moon('io', { orbits: refTo('jupiter') }) })))
  assert.deepEqual(texts('h2'), ['Graph of references'])
})

test('the graph is loaded when it is opened and stays open for the next entity', async () => {
  const fake = await openMoons({
    answers: { 'actions/worldwright:query': { output: { entities: [], facets: [{ buckets: [] }] } } },
  })
  const graph = (id: string) =>
    show(fake.within(h(GraphSection, { entity: moon(id, { orbits: refTo('saturn') }), key: id })))
  graph('titan')
  await idle()
  assert.equal(fake.asked.length, 0)
  press(get('summary'))
  await until(() => texts('a').includes('Saturn'))
  graph('mimas')
  assert.equal(get<HTMLDetailsElement>('details').open, true)
  await until(() => texts('a').includes('Saturn'))
  press(get('summary'))
  assert.equal(find('a'), undefined)
  graph('titan')
  assert.equal(get<HTMLDetailsElement>('details').open, false)
})
