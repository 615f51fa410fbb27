import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  field,
  find,
  get,
  idle,
  press,
  shown,
  startPage,
  submit,
  texts,
  type,
  until,
} from '../page.fixture.ts'
import { openPage } from './editable.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')

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

test('a draft of a view is replaced only if the user discards it', async (t) => {
  let isDiscarded = false
  const asked: unknown[] = []
  Object.assign(globalThis, { confirm: (text: string) => asked.push(text) > 0 && isDiscarded })
  t.after(() => Reflect.deleteProperty(globalThis, 'confirm'))
  await opened()
  await until(() => find('button', 'Publish view'))
  press(get('button', 'Publish view'))
  await until(() => find('.editor'))
  type(field('Title'), 'Mine')
  navigate({ ...route.value, type: 'sol:moon' } as never)
  await until(() => find('button', 'Publish view'))
  press(get('button', 'Publish view'))
  assert.deepEqual(asked, ['Discard the unsaved draft of a view?'])
  await idle()
  assert.deepEqual(texts('.editor'), [])
  navigate({ ...route.value, type: 'worldwright:view' } as never)
  await until(() => find('.editor'))
  assert.equal(field('Title').value, 'Mine')
  navigate({ ...route.value, type: 'sol:moon' } as never)
  await until(() => find('button', 'Publish view'))
  isDiscarded = true
  press(get('button', 'Publish view'))
  await until(() => find('.editor'))
  assert.equal(field('Title').value, 'Moon')
  press(get('.editor button', 'Cancel'))
})

test('a path that is none is refused in plain words, beside the description and not the pattern', async () => {
  await opened()
  await until(() => find('button', 'Publish view'))
  press(get('button', 'Publish view'))
  await until(() => find('.editor'))
  type(field('Path'), 'moons')
  assert.equal(texts('.hint').at(-1), 'Path and query of the view.')
  submit(get('form.editor'))
  await until(() => find('.wrong'))
  assert.deepEqual(texts('.wrong'), ['This does not have the form that is asked for.'])
  press(get('.editor button', 'Cancel'))
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
