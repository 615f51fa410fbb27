import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { field, find, get, idle, press, show, shown, startPage, submit, until } from '../page.fixture.ts'
import { openEditable } from './editable.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')
const { EntityPage } = await import('../pages/entity-page.tsx')
const { ListPage } = await import('../pages/list-page.tsx')

const ASKED = {
  text: '',
  cql: '',
  filters: [{ is: 'range', key: 'radiusKm', from: '5', to: '' } as const],
  sort: '',
}

function Page() {
  const at = route.value
  if (at.page === 'list') return h(ListPage, { key: at.type, route: at })
  return at.page === 'entity' ? h(EntityPage, { key: at.id, route: at, onTitle: () => {} }) : null
}

/** Opens a list of moons with a condition in a world that can be written. */
async function opened(options: Parameters<typeof openEditable>[0] = {}) {
  const world = await openEditable(options)
  navigate({ page: 'list', origin: world.origin, type: 'sol:moon', asked: ASKED })
  show(world.within(h(Page, null)))
  await shown('Moon')
  return world
}

test('a list is published by a form with its title and path, which makes an entity that can be deleted', async () => {
  const { store, sent } = await opened()
  await until(() => find('button', 'Publish view'))
  press(get('button', 'Publish view'))
  await until(() => find('.editor'))
  assert.deepEqual(sent, [])
  assert.equal(field('Title').value, 'Moon: radius at least 5')
  assert.equal(field('Path').value, '/v/sol%3Amoon?in.radiusKm=5..')
  assert.equal(find('button', 'Publish view'), undefined)
  submit(get('form.editor'))
  await shown('Moon: radius at least 5 is saved.')
  const at = route.value
  const id = at.page === 'entity' ? at.id : ''
  const { title, attributes } = JSON.parse(`${(await store.get('worldwright:view', id))?.json}`)
  assert.deepEqual(
    [title, attributes],
    ['Moon: radius at least 5', { path: '/v/sol%3Amoon?in.radiusKm=5..' }],
  )
  await until(() => find('button', 'Delete'))
})

test('only a token that may write views can publish them', async () => {
  for (const scopes of [['write:sol:moon' as const], ['read' as const]]) {
    await opened({ scopes })
    await idle()
    assert.equal(find('button', 'Publish view'), undefined)
  }
  await opened({ scopes: ['write:worldwright:view'] })
  await until(() => find('button', 'Publish view'))
  assert.equal(find('button', 'New'), undefined)
})
