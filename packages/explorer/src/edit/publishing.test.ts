import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, find, get, idle, press, shown, startPage, submit, until } from '../page.fixture.ts'
import { openPage } from './editable.fixture.ts'

startPage()
const { route } = await import('../navigation/navigation.ts')

const ASKED = {
  text: '',
  cql: '',
  filters: [{ is: 'range', key: 'radiusKm', from: '5', to: '' } as const],
  sort: '',
}

/** Opens a list of moons with a condition in a world that can be written. */
const opened = (options: Parameters<typeof openPage>[1] = {}) => openPage('list', options, { asked: ASKED })

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
