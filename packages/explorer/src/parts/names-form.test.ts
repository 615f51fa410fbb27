import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { field, get, press, show, startPage, submit, type } from '../page.fixture.ts'
import { entrances } from '../world/memory.ts'
import { namesOf } from '../world/worlds.ts'

startPage()
const { NamesForm } = await import('./names-form.tsx')

test('entered names are trimmed and stored for the world, and can be forgotten', () => {
  const origin = 'https://named.example'
  const before = entrances.value
  show(h(NamesForm, { origin }))
  type(field('List: the entities'), ' page.data ')
  type(field('List: the cursor of the next page'), '   ')
  assert.equal(submit(get('form')), false)
  assert.deepEqual(namesOf(origin), { entities: 'page.data' })
  assert.equal(entrances.value, before + 1)
  assert.equal(localStorage.getItem(`worldwright.names.${origin}`), '{"entities":"page.data"}')
  show(h(NamesForm, { origin, key: 'again' }))
  assert.equal(field('List: the entities').value, 'page.data')
  press(get('button', 'Forget the names'))
  assert.deepEqual(namesOf(origin), {})
  assert.equal(localStorage.length, 0)
})
