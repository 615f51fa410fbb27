import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  choose,
  field,
  find,
  fire,
  get,
  idle,
  key,
  press,
  shown,
  startPage,
  submit,
  textOf,
  texts,
  type,
  until,
} from '../page.fixture.ts'
import { IO, openPage } from './editable.fixture.ts'

startPage()
const { navigate, route } = await import('../navigation/navigation.ts')

/** Opens the form of `io`. */
async function editing(options: Parameters<typeof openPage>[1] = {}) {
  const world = await openPage('entity', options)
  await until(() => find('button', 'Edit'))
  press(get('button', 'Edit'))
  return world
}

const save = () => submit(get('form.editor'))
const alerts = () => texts('.wrong')

test('an edit sends only what was changed, and can be undone', async () => {
  const { sent, json } = await editing()
  assert.equal(document.activeElement, get('.editor h2'))
  assert.equal(field(/^Radius/).value, '1821.6')
  assert.equal(field('Serial').value, '7')
  type(field(/^Radius/), '1.50')
  choose(field<HTMLSelectElement>('Icy'), 'true')
  save()
  await shown('Io is saved.')
  assert.deepEqual(sent, ['PATCH {"attributes":{"radiusKm":1.50,"icy":true}}'])
  assert.deepEqual(JSON.parse(`${await json()}`).attributes, { ...IO, radiusKm: 1.5, icy: true })
  assert.equal(document.activeElement, get('.edit-tools [role=status]'))
  press(get('.edit-tools button', 'Undo'))
  await shown('The change of Io is undone.')
  assert.deepEqual(JSON.parse(`${await json()}`).attributes, IO)
  assert.equal(find('button', 'Undo'), undefined)
})

test('Markdown is previewed as its page will show it, and follows what is typed', async () => {
  await editing()
  assert.deepEqual(texts('.preview summary'), ['Preview: Story'])
  type(field('Story'), 'A **volcanic** [moon](https://io.example).')
  assert.equal(find('.prose'), undefined)
  const preview = get<HTMLDetailsElement>('.preview')
  preview.open = true
  fire(preview, new window.Event('toggle'))
  await until(() => find('.prose strong'))
  assert.equal(textOf(get('.prose strong')), 'volcanic')
  assert.equal(get('.prose a').getAttribute('href'), 'https://io.example/')
  type(field('Story'), '<img src=x onerror=alert(1)> _Io_')
  await until(() => find('.prose em'))
  assert.equal(find('.prose img'), undefined)
  preview.open = false
  fire(preview, new window.Event('toggle'))
  await until(() => !find('.prose'))
  press(get('button', 'Cancel'))
})

test('a value with a null, which no patch can say, is written with the whole entity', async () => {
  const { sent, json } = await editing()
  type(field('Notes'), '{"deep":null}')
  save()
  await shown('Io is saved.')
  assert.match(sent[0] ?? '', /^PUT /)
  assert.deepEqual(JSON.parse(`${await json()}`).attributes, { ...IO, notes: { deep: null } })
})

test('what does not fit is said at the field, which gets the focus', async () => {
  const { sent } = await editing()
  const radius = field(/^Radius/)
  type(radius, '-1')
  assert.deepEqual(alerts(), [])
  radius.dispatchEvent(new window.Event('focusout', { bubbles: true }))
  await shown('This number is out of range.')
  type(radius, '')
  assert.deepEqual(alerts(), ['This is required.'])
  save()
  assert.equal(document.activeElement, radius)
  assert.equal(radius.getAttribute('aria-describedby'), `${radius.id}-wrong ${radius.id}-hint`)
  type(radius, '5')
  assert.deepEqual(alerts(), [])
  // The page leaves patterns to the world, whose message is placed at the field.
  // A browser would cut a pasted text there without a word.
  assert.equal(field('Code').hasAttribute('maxlength'), false)
  type(field('Code'), 'A1')
  save()
  await until(() => alerts().length > 0)
  assert.deepEqual(alerts(), ['This does not have the form that is asked for.'])
  assert.equal(document.activeElement, field('Code'))
  assert.equal(sent.length, 1)
  press(get('button', 'Cancel'))
})

test('a conflict asks for each value that both changed, and keeps what only others changed', async () => {
  const { write, json, sent } = await editing()
  type(field(/^Radius/), '5')
  type(field('Title'), 'My Io')
  choose(field<HTMLSelectElement>('Icy'), 'true')
  await write({ ...IO, radiusKm: 7, icy: true, serial: 8 })
  save()
  await shown('This has been changed meanwhile.')
  assert.equal(document.activeElement, get('.editor h2'))
  assert.deepEqual(texts('.sides legend'), ['Radius'])
  assert.deepEqual(texts('.side'), ['Yours: 5', 'Theirs: 7', 'Before both: 1821.6'])
  await shown('Also changed by others, and kept: Serial')
  const button = get<HTMLButtonElement>('.editor button', 'Save')
  assert.equal(button.disabled, true)
  press(get('button', 'Cancel'))
  assert.equal(field(/^Radius/).value, '5')
  save()
  await until(() => find('.side'))
  choose(document.querySelectorAll<HTMLInputElement>('.side input')[1] as HTMLInputElement, 'on')
  assert.equal(sent.length, 2)
  submit(get('form.editor'))
  await shown('My Io is saved.')
  assert.equal(JSON.parse(`${await json()}`).title, 'My Io')
  assert.deepEqual(JSON.parse(`${await json()}`).attributes, { ...IO, radiusKm: 7, icy: true, serial: 8 })
})

test('an entity that somebody else has deleted is said to be, and can be created again', async () => {
  const { store, json } = await editing()
  type(field(/^Radius/), '5')
  await store.write([{ delete: { type: 'sol:moon', id: 'io' } }])
  save()
  await shown('Somebody else has deleted this entity.')
  assert.equal(await json(), undefined)
  submit(get('form.editor'))
  await shown('Io is saved.')
  assert.deepEqual(JSON.parse(`${await json()}`).attributes, { ...IO, radiusKm: 5 })
})

test('an undo does not overwrite a later change', async () => {
  const { write, json } = await editing()
  type(field(/^Radius/), '5')
  save()
  await shown('Io is saved.')
  await write({ radiusKm: 8 })
  press(get('button', 'Undo'))
  await shown('This has been changed meanwhile.')
  assert.match(`${await json()}`, /"radiusKm":8/)
})

test('a deletion asks first, goes to the list, and can be undone', async () => {
  const { json, sent, write } = await openPage('entity')
  await until(() => find('button', 'Delete'))
  press(get('button', 'Delete'))
  await shown('Delete Io?')
  await write({ radiusKm: 9 }, '\u202eIo')
  press(get('dialog button', 'Delete'))
  await shown('This has been changed meanwhile.')
  press(get('dialog button', 'Try again'))
  await until(() => find('dialog') !== undefined && !find('dialog .row'))
  await shown('9 km')
  press(get('button', 'Delete'))
  assert.equal(textOf(get('dialog h2')), 'Delete U+202EIo?')
  press(get('dialog button', 'Delete'))
  await shown('Io is deleted.')
  assert.equal(await json(), undefined)
  assert.equal(route.value.page, 'list')
  press(get('button', 'Undo'))
  await until(() => route.value.page === 'entity')
  await shown('The change of U+202EIo is undone.')
  assert.match(`${await json()}`, /"radiusKm":9/)
  assert.deepEqual(
    sent.map((one) => one.split(' ')[0]),
    ['DELETE', 'DELETE', 'PUT'],
  )
})

test('a new entity gets an id, references are chosen by search, and an undo deletes it', async () => {
  const { store, sent } = await openPage('list')
  await until(() => find('button', 'New'))
  press(get('button', 'New'))
  type(field('Id'), 'io')
  type(field(/^Radius/), '1560.8')
  type(field('Title'), 'Europa')
  const orbits = field('Orbits')
  type(orbits, 'jup')
  await until(() => find('[role=option]'))
  assert.deepEqual(
    texts('[role=option]'),
    ['Jupiter Planet'].map((text) => texts('[role=option]')[0] ?? text),
  )
  key(orbits, 'Enter')
  await shown('Jupiter')
  assert.equal(orbits.value, '')
  save()
  await shown('There is already an entity with this id.')
  type(field('Id'), '')
  save()
  await shown('Europa is saved.')
  const at = route.value
  assert.ok(at.page === 'entity' && /^[0-9a-f-]{36}$/.test(at.id))
  const json = (await store.get('sol:moon', at.id))?.json
  assert.match(`${json}`, /"orbits":\{"type":"sol:planet","id":"jupiter"\}/)
  press(get('button', 'Undo'))
  await until(() => route.value.page === 'list')
  assert.equal(await store.get('sol:moon', at.id), undefined)
  assert.deepEqual(
    sent.map((one) => one.split(' ')[0]),
    ['PUT', 'PUT', 'DELETE'],
  )
})

test('what is typed stays as a draft on other pages, and the browser asks before the tab closes', async () => {
  const { origin } = await editing()
  const leaves = () => window.dispatchEvent(new window.Event('beforeunload', { cancelable: true }))
  assert.equal(leaves(), true)
  type(field(/^Radius/), '5')
  assert.equal(leaves(), false)
  navigate({ page: 'list', origin, type: 'sol:moon' })
  await shown('Moon')
  await idle()
  navigate({ page: 'entity', origin, type: 'sol:moon', id: 'io' })
  await until(() => find('.editor'))
  assert.equal(field(/^Radius/).value, '5')
  press(get('button', 'Cancel'))
  assert.equal(leaves(), true)
  await until(() => find('button', 'Edit'))
  assert.equal(document.activeElement, get('button', 'Edit'))
})

test('there are no buttons without a token, without the operator API, or if the token may not write', async () => {
  const cases = [
    [{ scopes: ['read'] }, 1],
    [{ isOn: false }, 0],
    [{ scopes: [] }, 0],
  ] as const
  for (const [options, number] of cases) {
    const { requests } = await openPage('entity', options)
    await idle()
    assert.deepEqual([find('button', 'Edit'), find('button', 'Delete')], [undefined, undefined])
    assert.equal(requests.filter((url) => url.includes('/operator/')).length, number)
  }
})

test('if the world does not say what the token may do, its refusal is explained, and the buttons go', async () => {
  await editing({ isPrivate: true, scopes: ['read:sol:moon'] })
  type(field(/^Radius/), '5')
  save()
  await shown('This token lacks the scope write:sol:moon.')
  press(get('button', 'Cancel'))
  await idle()
  assert.equal(find('button', 'Edit'), undefined)
})

test('a token that the world does not accept is said to be refused, on pages and lists', async () => {
  for (const page of ['entity', 'list'] as const) {
    await openPage(page, { isRefused: true })
    await shown('The world does not accept your token.')
    assert.deepEqual(texts('.edit-tools button'), [])
  }
})
