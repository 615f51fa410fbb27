import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { parse } from 'yaml'
import type { TableChoice } from './choices.ts'
import { proposeDefinition, surveyTables } from './scaffold.ts'
import { scaffoldTables } from './tables.ts'

/** Returns a function that proposes a definition of files in memory with corrections, and tries it. */
async function proposing(t: TestContext, files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const paths = Object.keys(files).map((name) => join(folder, name))
  const tables = await scaffoldTables({ paths, folder })
  const input = { tables, folder, called: 'shop', store: createMemoryStore() }
  const surveyed = await surveyTables(input)
  return async (...choices: TableChoice[]) => {
    const { text, trial } = await proposeDefinition(surveyed, input, choices)
    return { ...parse(text), trial }
  }
}

const ORDERS = 'order_id,customer_id,day,paid,note\no1,c1,03/04/2024,"1,500",x\no2,c2,04/05/2024,?,y\n'
const CUSTOMERS = 'customer_id,email,name\nc1,a@x.example,Ann\nc2,b@x.example,Bo\n'
const column = (name: string, choice: object): TableChoice => ({ columns: new Map([[name, choice]]) })

test('corrections change nothing but what they name, and later ones begin with the guess again', async (t) => {
  const propose = await proposing(t, { 'orders.csv': ORDERS, 'customers.csv': CUSTOMERS })
  const guess = await propose()
  assert.deepEqual((await propose({}, {})).sources, guess.sources)
  const off = await propose(column('customer_id', { isReference: false }))
  assert.deepEqual(guess.sources[0].references, {
    customer: { column: 'customer_id', type: 'shop:customer' },
  })
  assert.equal(off.sources[0].references, undefined)
  assert.equal(off.trial.first[0].attributes.customer_id, 'c1')
  assert.deepEqual((await propose()).sources, guess.sources)
})

test('a type that is renamed is renamed in references, and another id ends those that no longer fit', async (t) => {
  const propose = await proposing(t, { 'orders.csv': ORDERS, 'customers.csv': CUSTOMERS })
  const renamed = await propose({}, { type: 'shop:client', title: 'Client' })
  assert.equal(renamed.sources[0].references.customer.type, 'shop:client')
  const schema = renamed.types.find(({ type }: { type: string }) => type === 'shop:order').schema
  assert.deepEqual(schema.properties.customer.properties.type, { const: 'shop:client' })
  const other = await propose({}, { id: 'email' })
  assert.deepEqual([other.sources[1].id, other.sources[0].references], ['email', undefined])
})

test('kinds and missing values are read as chosen, and a column with gaps is no longer required', async (t) => {
  const propose = await proposing(t, { 'orders.csv': ORDERS })
  const columns = new Map<string, object>([
    ['day', { kind: 'month', label: 'Day of the order' }],
    ['paid', { kind: 'point', missing: ['?'], unit: '€' }],
  ])
  const { sources, types, trial } = await propose({ columns, titleColumn: 'note' })
  assert.deepEqual(
    trial.first.map((entity: { attributes: object }) => entity.attributes),
    [
      { day: '2024-03-04', paid: 1500, customer_id: 'c1', order_id: 'o1', note: 'x' },
      { day: '2024-04-05', customer_id: 'c2', order_id: 'o2', note: 'y' },
    ],
  )
  assert.deepEqual(sources[0].cells.paid, { thousands: ',', missing: ['?'] })
  const { properties, required } = types[0].schema
  assert.deepEqual(properties.paid, { type: 'number', 'x-unit': '€' })
  assert.deepEqual(properties.day, { type: 'string', format: 'date', title: 'Day of the order' })
  assert.deepEqual([required.includes('day'), required.includes('paid')], [true, false])
  assert.equal(trial.first[0].title, 'x')
})

test('a column that is left out is nowhere, even if it is the id', async (t) => {
  const propose = await proposing(t, { 'orders.csv': ORDERS })
  const columns = new Map(['order_id', 'note'].map((name) => [name, { isLeftOut: true }]))
  const { sources, types, trial } = await propose({ columns, titleColumn: '' })
  assert.deepEqual([sources[0].id, sources[0].title], ['order_id', undefined])
  assert.deepEqual(trial.first[0], {
    type: 'shop:order',
    id: 'o1',
    attributes: { customer_id: 'c1', day: '03/04/2024', paid: '1,500' },
  })
  assert.doesNotMatch(JSON.stringify(types), /order_id|note/)
})

test('choices that would mix up types are refused, with the member that they are for', async (t) => {
  const type = 'type,name\na:b,x\nc:d,y\n'
  const propose = await proposing(t, { 'odd.csv': type, 'customers.csv': CUSTOMERS })
  const pointers = async (...choices: TableChoice[]) => {
    const error = await propose(...choices).then(
      () => undefined,
      (fault) => fault,
    )
    return error?.problems.map(({ pointer }: { pointer: string }) => pointer)
  }
  assert.deepEqual(await pointers({ type: 'shop:customer' }), ['/sources/0/type'])
  assert.deepEqual(await pointers(column('type', { isLeftOut: true })), ['/sources/0/cells/type'])
  assert.equal(await pointers({}, { type: 'shop:client' }), undefined)
})
