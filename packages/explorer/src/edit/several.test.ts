import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  choose,
  field,
  find,
  get,
  layOut,
  press,
  shown,
  startPage,
  submit,
  textOf,
  texts,
  type,
  until,
} from '../page.fixture.ts'
import { versionOf } from './content.ts'
import { listed, openEditable, openPage, result } from './editable.fixture.ts'
import { takeStep } from './take-step.ts'

startPage()

const select = (name: string) => press(get(`input[aria-label="Select: ${name}"]`))
const panel = () => get<HTMLFormElement>('form.editor')
const action = () => textOf(panel().querySelector('button[type=submit]'))
const MOONS = [
  { id: 'europa', title: 'Europa', attributes: { radiusKm: 2, code: 'e' } },
  { id: 'ganymede', title: 'Ganymede <b>', attributes: { radiusKm: 2 } },
]

/** Opens the list of the moons io, europa and ganymede in a world that can be written. */
async function opened(t: TestContext, options: Parameters<typeof openPage>[1] = {}) {
  layOut(t)
  const world = await openPage('list', { moons: MOONS, ...options })
  await shown('Ganymede')
  return world
}

test('one value of the selected entities is set, the list shows it, and an undo restores each as it was', async (t) => {
  const { json, sent } = await opened(t)
  await until(() => find('.row-check'))
  select('Europa')
  select('Ganymede <b>')
  await shown('Selected: 2')
  assert.equal(action(), 'Set a value: 0')
  assert.equal(get<HTMLButtonElement>('form.editor [type=submit]').disabled, true)
  choose(field<HTMLSelectElement>('What to change'), 'attributes/radiusKm')
  type(field(/^Radius/), '-1')
  await shown('This number is out of range.')
  assert.equal(action(), 'Set a value: 0')
  type(field(/^Radius/), '3.50')
  assert.equal(action(), 'Set a value: 2')
  type(field(/^Radius/), '2')
  assert.equal(action(), 'Set a value: 0')
  type(field(/^Radius/), '3.50')
  submit(panel())
  await until(() => result() === 'Done: 2')
  assert.match((await json('europa')) ?? '', /"radiusKm":3.5\b/)
  assert.doesNotMatch((await json()) ?? '', /3.5\b/)
  assert.deepEqual(sent, Array(2).fill('PATCH {"attributes":{"radiusKm":3.50}}'))
  await until(() => texts('tbody tr').join() === 'Europa3.5e,Ganymede <b>3.5,Io1,821.6no')
  assert.equal(document.activeElement, get('.edit-tools [role=status].note'))
  assert.equal(result(), 'Done: 2')
  press(get('button', 'Undo: 2'))
  await until(() => sent.length === 4 && result() === 'Done: 2')
  assert.match((await json('europa')) ?? '', /"radiusKm":2\b/)
  await until(() => texts('tbody tr')[0] === 'Europa2e')
  // An undo can be undone, too.
  press(get('button', 'Undo: 2'))
  await until(() => sent.length === 6 && result() === 'Done: 2')
  assert.match((await json('europa')) ?? '', /"radiusKm":3.5\b/)
})

test('an entity that others changed or deleted meanwhile is a conflict with its name, and is not overwritten', async (t) => {
  const { json, store, write } = await opened(t)
  await until(() => find('.row-check'))
  press(field('Select all loaded'))
  await shown('Selected: 3')
  await write({ radiusKm: 5, code: 'theirs' })
  await store.write([{ delete: { type: 'sol:moon', id: 'ganymede' } }])
  choose(field<HTMLSelectElement>('What to change'), 'attributes/code')
  type(field('Code'), 'mine')
  assert.equal(action(), 'Set a value: 3')
  submit(panel())
  await until(() => result() === 'Done: 1 · Conflict: 2' || result() === 'Conflict: 2 · Done: 1')
  assert.deepEqual(listed().toSorted(), [
    'Ganymede <b> – Conflict: Somebody else has deleted this entity.',
    'Io – Conflict: This has been changed meanwhile.',
  ])
  assert.match((await json()) ?? '', /"code":"theirs"/)
  assert.match((await json('europa')) ?? '', /"code":"mine"/)
  assert.equal(await json('ganymede'), undefined)
})

test('an entity that had the value is a conflict if others have set another since', async () => {
  const { world, write, json } = await openEditable()
  const from = versionOf(await world.get('sol:moon', 'io'))
  await write({ radiusKm: 5 })
  const { fate } = await takeStep(world, 'sol:moon', { id: 'io', name: 'Io', from, to: from?.content })
  assert.equal(fate, 'conflict')
  assert.match((await json()) ?? '', /"radiusKm":5\b/)
})

test('an empty value removes it, what has none is unchanged, and what the world refuses is told with its reason', async (t) => {
  const { json, sent } = await opened(t)
  await until(() => find('.row-check'))
  press(field('Select all loaded'))
  choose(field<HTMLSelectElement>('What to change'), 'attributes/code')
  assert.equal(action(), 'Remove the value: 1')
  submit(panel())
  await until(() => /Unchanged: 2/.test(result()))
  assert.deepEqual(sent.toSorted(), ['PATCH {"attributes":{"code":null}}', 'PATCH {}', 'PATCH {}'])
  press(get('button', 'Close'))
  await until(
    () => find('form.editor') === undefined && document.activeElement === field('Select all loaded'),
  )

  await until(() => !textOf(document.body).includes('Europa2e'))
  select('Europa')
  choose(field<HTMLSelectElement>('What to change'), 'attributes/radiusKm')
  assert.equal(action(), 'Remove the value: 0')
  choose(field<HTMLSelectElement>('What to change'), 'attributes/code')
  type(field('Code'), '__proto__')
  submit(panel())
  await until(() => result() === 'Refused: 1')
  assert.match(listed()[0] ?? '', /^Europa – Refused: attributes\/code: /)
  assert.doesNotMatch((await json('europa')) ?? '', /proto/)
  press(get('button', 'Close'))
  select('Europa')
  choose(field<HTMLSelectElement>('What to change'), 'attributes/radiusKm')
  type(field(/^Radius/), '9007199254740993')
  submit(panel())
  await until(() => result() === 'Refused: 1')
  assert.match(listed()[0] ?? '', /9007199254740993 .*lose digits/)
})

test('a deletion of the selection can be undone, and a cancelled selection is empty', async (t) => {
  const { json, sent } = await opened(t)
  await until(() => find('.row-check'))
  select('Europa')
  press(get('button', 'Cancel'))
  await until(() => find('form.editor') === undefined)
  assert.equal(get<HTMLInputElement>('input[aria-label="Select: Europa"]').checked, false)
  select('Io')
  choose(field<HTMLSelectElement>('What to change'), '/')
  assert.equal(action(), 'Delete: 1')
  const before = JSON.parse((await json()) ?? '')
  submit(panel())
  await until(() => result() === 'Done: 1')
  assert.equal(await json(), undefined)
  press(get('button', 'Undo: 1'))
  await until(() => sent.length === 2 && result() === 'Done: 1')
  assert.deepEqual(JSON.parse((await json()) ?? '').attributes, before.attributes)
})

test('after a failure that every step would meet, none is tried, and a step without an answer may have been applied', async () => {
  const { world, store } = await openEditable({ scopes: ['read'] })
  const step = { id: 'io', name: 'Io', from: undefined, to: { attributes: { radiusKm: 1 } } }
  const { fate, isLast } = await takeStep(world, 'sol:moon', { ...step, id: 'new' })
  assert.deepEqual([fate, isLast], ['refused', true])
  const silent = { document: world.document } as typeof world
  const lost = await takeStep(silent, 'sol:moon', step)
  assert.deepEqual([lost.fate, lost.isLast], ['unsure', true])
  assert.equal(await store.get('sol:moon', 'new'), undefined)
})

test('readers and those who may not write the type get no boxes', async (t) => {
  await opened(t, { scopes: ['read'] })
  await until(() => find('.compare'))
  assert.ok(find('.row-check') === undefined && find('.edit-tools .check') === undefined)
})
