import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Entity } from '@worldwright/client'
import { h } from 'preact'
import { moon, openMoons } from '../moons.fixture.ts'
import { fire, get, press, show, startPage, texts } from '../page.fixture.ts'
import type { Walk } from './use-walk.ts'
import { walkOf } from './walk.fixture.ts'

startPage()
const { EntityGallery } = await import('./entity-gallery.tsx')
const { within, origin } = await openMoons()

/** Renders the gallery in a box with the given layout. */
function showGallery(entities: readonly Entity[], more: Partial<Walk> = {}) {
  const rows: number[] = []
  const { walk, ...record } = walkOf(entities, more)
  show(within(h(EntityGallery, { walk, label: 'Moon', onRow: (row: number) => void rows.push(row) })))
  return { ...record, rows }
}

function tall(t: TestContext, height: number) {
  t.mock.getter(HTMLElement.prototype, 'scrollHeight', () => height)
  t.mock.getter(HTMLElement.prototype, 'clientHeight', () => 600)
}

const sources = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))

test('each entity has a card with its picture, its name and its distinguishing values', () => {
  showGallery([moon('io', { photo: '/attachments/io.png', radiusKm: 1821.6 }), moon('titan')])
  assert.deepEqual(sources(), [`${origin}/attachments/io.png`])
  assert.deepEqual(texts('li'), ['IoRadius: 1,821.6 km', 'Titan'])
  assert.equal(get('li:last-child .frame').getAttribute('data-initial'), 'T')
})

test('pictures on other hosts require consent for each host', () => {
  const photo = (host: string) => moon(host, { photo: `https://${host}.example/a.png` })
  showGallery([photo('one'), photo('two'), photo('one')])
  assert.deepEqual(sources(), [])
  assert.deepEqual(texts('.consent button'), [
    'Show the pictures from one.example',
    'Show the pictures from two.example',
  ])
  press(get('button', 'Show the pictures from one.example'))
  assert.deepEqual(sources(), ['https://one.example/a.png', 'https://one.example/a.png'])
  assert.deepEqual(texts('.consent button'), ['Show the pictures from two.example'])
})

test('consent is requested for at most five hosts', () => {
  showGallery(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((host) => moon(host, { photo: `https://${host}.example/x.png` })),
  )
  assert.equal(texts('.consent button').length, 5)
})

test('scrolling reports the first visible entity, stores the offset and reads ahead', (t) => {
  tall(t, 4_000)
  const entities = Array.from({ length: 100 }, (_, index) => moon(`m${index}`))
  const { rows, offsets, calls } = showGallery(entities)
  const box = get('section')
  const scroll = (to: number) => {
    box.scrollTop = to
    fire(box, new window.Event('scroll'))
  }
  scroll(1_000)
  assert.deepEqual([rows, offsets, calls], [[25], [1_000], []])
  scroll(2_300)
  assert.deepEqual(calls, ['more'])
})

test('a gallery that does not fill its box loads more unless it is stale or has failed', (t) => {
  tall(t, 600)
  assert.deepEqual(showGallery([moon('io')]).calls, ['more'])
  show(null)
  assert.deepEqual(showGallery([moon('io')], { isStale: true }).calls, [])
  show(null)
  const failure = { cause: 'busy' } as NonNullable<Walk['failure']>
  assert.deepEqual(showGallery([moon('io')], { failure }).calls, [])
})

test('showing a different list restores the scroll position of that list', () => {
  showGallery([moon('io')])
  showGallery([moon('io')], { entry: 'other', offset: 77 })
  assert.equal(get('section').scrollTop, 77)
})
