import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { parse } from 'yaml'
import { fieldsIn, settingUp } from './setting-up.fixture.ts'

const SHOPS = 'code,name,secret\nA1,Alpha,x\nB2,Beta,y\n'

test('corrections of tables that another tab has replaced are refused', async (t) => {
  const { cwd, open } = await settingUp(t)
  const { send, get, post } = await open()
  await send('shops.csv', SHOPS)
  const shops = { ...fieldsIn((await get()).body), '0.2.out': 'on', do: 'publish' }
  await post({ do: 'reset' })
  const none = await post(shops)
  assert.deepEqual([none.status, /no longer those of your form/.test(none.body)], [422, true])
  await send('cities.csv', 'no,city,mayor\nc1,Ulm,x\nc2,Bonn,y\n')
  const other = await post(shops)
  assert.deepEqual([other.status, /no longer those of your form/.test(other.body)], [422, true])
  assert.match(other.body, /Leave out mayor"><\/td>/)
  assert.deepEqual((await readdir(cwd)).toSorted(), ['cities.csv', 'shops.csv'])
  const cities = { ...fieldsIn(other.body), do: 'publish' }
  assert.match((await post(cities)).body, /is written/)
})

test('a file is added once, and further tables of a database are', async (t) => {
  const { cwd, open } = await settingUp(t, { 'shops.csv': SHOPS })
  const database = new DatabaseSync(join(cwd, 'shop.sqlite'))
  database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY); CREATE TABLE notes (id TEXT PRIMARY KEY)')
  database.close()
  const { post } = await open()
  assert.equal((await post({ path: 'shops.csv', do: 'add' })).status, 200)
  const again = await post({ path: './shops.csv', do: 'add' })
  assert.equal(again.status, 422)
  assert.match(again.body, /shops\.csv is added already.*2 records can be loaded/s)
  assert.equal((await post({ path: 'shop.sqlite', only: 'orders', do: 'add' })).status, 200)
  const { status, body } = await post({ path: 'shop.sqlite', do: 'add' })
  assert.equal(status, 200)
  assert.deepEqual(
    [...body.matchAll(/<legend>[^<]*:([^<]*)/g)].map(([, type]) => type),
    ['shop', 'order', 'note'],
  )
  assert.equal(body.match(/<li>[^<]*shop\.sqlite</g)?.length, 1)
})

test('columns can be chosen whatever their names, as browsers send them', async (t) => {
  const { cwd, open } = await settingUp(t)
  const { send, get, post } = await open()
  await send('people.csv', '"full\nname",code,size\nAnn,a1,3\nBo,b2,4\n')
  const fields = fieldsIn((await get()).body)
  // A browser sends line ends as CRLF.
  const sent = Object.entries(fields).map(([name, value]) => [name, value.replaceAll('\n', '\r\n')] as const)
  await post({ ...Object.fromEntries(sent), '0.id': '1', do: 'publish' })
  const [source] = parse(await readFile(join(cwd, 'world.yaml'), 'utf8')).sources
  assert.deepEqual([source.id, source.title], ['code', 'full\nname'])
})
