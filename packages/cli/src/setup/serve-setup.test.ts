import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'
import { fieldsIn, type Headers, settingUp } from './setting-up.fixture.ts'

const SHOPS = 'code,name,opened,city_id,stock\nA1,Alpha,01/02/2024,c1,3 kg\nB2,Beta,02/03/2024,c2,none\n'
const CITIES = 'city_id,city\nc1,Ulm\nc2,Bonn\n'
const world = (cwd: string) => readFile(join(cwd, 'world.yaml'), 'utf8')

test('the token opens the page once, for the browser that then has the cookie', async (t) => {
  const { ask, token } = await settingUp(t)
  assert.equal((await ask('/setup')).status, 403)
  assert.equal((await ask(`${token}x`)).status, 403)
  assert.equal((await ask('/setup/setup.js')).status, 403)
  const { status, headers } = await ask(token)
  assert.equal(status, 200)
  const [cookie = '', ...attributes] = `${headers['set-cookie']}`.split('; ')
  assert.deepEqual(attributes, ['Path=/setup', 'HttpOnly', 'SameSite=Strict'])
  assert.match(
    headers['content-security-policy'] ?? '',
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  )
  assert.equal(cookie.includes(token.slice(-20)), false)
  assert.equal((await ask(token)).status, 403)
  assert.equal((await ask('/setup', { cookie: `${cookie}x` })).status, 403)
  for (const path of ['/setup', '/setup/setup.js', '/setup/setup.css', token])
    assert.equal((await ask(path, { cookie })).status, 200, path)
  assert.equal((await ask('/', { cookie })).status, 404)
  assert.ok(Buffer.byteLength((await ask('/setup/setup.js', { cookie })).body) <= 12_000)
})

test('requests with another host or from another origin are refused, and do nothing', async (t) => {
  const { ask, token, open, origin, cwd } = await settingUp(t)
  assert.equal((await ask(token, { host: 'evil.example' })).status, 421)
  assert.equal((await ask(token, { host: '127.0.0.1' })).status, 421)
  const { own } = await open()
  const path = '/setup/file?name=shops.csv'
  for (const other of [undefined, 'null', 'https://evil.example', origin.replace('127.0.0.1', 'localhost')]) {
    const headers: Headers = { cookie: own.cookie, ...(other && { origin: other }) }
    assert.equal((await ask(path, headers, SHOPS)).status, 403, other)
  }
  assert.deepEqual(await readdir(cwd), [])
})

test('a sent file has the name of data and no path, and never takes the place of another', async (t) => {
  const { open, cwd } = await settingUp(t, { 'old.csv': 'kept' })
  const { send } = await open()
  const names = ['../x.csv', '/tmp/x.csv', 'a/b.csv', '..\\x.csv', 'C:x.csv', '.x.csv', '', 'x.exe', 'x']
  names.push(
    'world.yaml',
    'World.JSON',
    'world.db',
    'package.json',
    'a\0.csv',
    'a\n.csv',
    `${'x'.repeat(200)}.csv`,
  )
  for (const name of names) assert.equal((await send(name, SHOPS)).status, 400, name)
  const taken = await send('old.csv', SHOPS)
  assert.deepEqual([taken.status, /in the folder already/.test(taken.body)], [409, true])
  const broken = await send('broken.csv', 'a,b\n"never closed\n')
  assert.equal(broken.status, 422)
  assert.match(broken.body, /broken\.csv/)
  assert.deepEqual(await readdir(cwd), ['old.csv'])
  assert.equal(await readFile(join(cwd, 'old.csv'), 'utf8'), 'kept')
})

test('without corrections, the world.yaml is that of init', async (t) => {
  const { cwd, open, published } = await settingUp(t)
  const { send, get, post } = await open()
  assert.equal((await send('shops.csv', SHOPS)).status, 200)
  assert.equal((await send('cities.csv', CITIES)).status, 200)
  assert.match((await get()).body, /4 records can be loaded, none is rejected/)
  const other = await folderOf(t, { 'shops.csv': SHOPS, 'cities.csv': CITIES })
  assert.equal(
    (await runWith(['init', 'shops.csv', 'cities.csv', '--name', 'Trade'], { cwd: other })).code,
    0,
  )
  const { body } = await post({ name: 'Trade', do: 'check', ...fieldsIn((await get()).body) })
  const answer = await post({ ...fieldsIn(body), name: 'Trade', do: 'publish' })
  assert.match(answer.body, /world\.yaml is written/)
  await published
  // The types are prefixed with the name of the input, of which init knows the folder alone.
  const prefixed = (yaml: string) => yaml.replaceAll(/[a-z0-9.-]+:(?=shop|city)/g, 'x:')
  assert.equal(prefixed(await world(cwd)), prefixed(await world(other)))
})

test('corrections become the definition, and faults stand beside their fields', async (t) => {
  const { cwd, open } = await settingUp(t)
  const { send, get, post } = await open()
  await send('shops.csv', SHOPS)
  await send('cities.csv', CITIES)
  const guessed = fieldsIn((await get()).body)
  assert.deepEqual(
    [
      guessed['0.type']?.replace(/.*:/, ''),
      guessed['0.titleColumn'],
      guessed['0.3.reference'],
      guessed['0.4.unit'],
      guessed['0.4.missing'],
    ],
    ['shop', '1', 'on', 'kg', 'none'],
  )
  const wrong = await post({ ...guessed, '0.type': 'shop', do: 'check' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /value="shop" aria-invalid="true" aria-describedby="0\.type\.wrong"/)
  assert.match(wrong.body, /Correct what is marked below/)
  assert.doesNotMatch(wrong.body, /The result/)
  const same = await post({ ...guessed, '0.type': `${guessed['1.type']}`, do: 'publish' })
  assert.match(same.body, /id="0\.type\.wrong">another table has the type \S+:city</)
  const chosen = {
    '0.type': 'shops:store',
    '0.title': 'Store',
    '0.id': '1',
    '0.titleColumn': '0',
    '0.2.kind': 'day',
  }
  const columns = { '0.2.label': 'Since', '0.3.reference': 'off', '0.4.unit': 'g', '0.0.out': 'on' }
  const { body } = await post({ ...guessed, ...chosen, ...columns, do: 'check' })
  assert.match(body, /<th scope="row">Alpha<\/th><td>A1<\/td>.*<td>2024-02-01<\/td>/)
  await post({ ...guessed, ...chosen, ...columns, do: 'publish' })
  const yaml = await world(cwd)
  for (const line of [/type: shops:store\n {4}title: Store/, /id: name\n {4}title: code/, /date: d\/m\/yyyy/])
    assert.match(yaml, line)
  assert.match(yaml, /opened: \{ type: string, format: date, title: Since \}/)
  assert.match(yaml, /stock: \{ type: integer, x-unit: g \}/)
  assert.match(yaml, /attributes: \[ name, opened, stock, city_id \]/)
  assert.doesNotMatch(yaml, /references/)
})

test('the preview names referenced entities, and fields are those of renamed columns and of none without a name', async (t) => {
  const { open } = await settingUp(t)
  const { send, get, post } = await open()
  const readers = [{ ref: ['c1'] }, { ref: ['c1', 'c2'] }].map(({ ref }, at) => ({
    id: `r${at}`,
    cities: ref,
  }))
  await send('shops.csv', SHOPS.replace('stock', '__proto__').replace('opened', 'constructor'))
  await send('cities.csv', 'city_id,name,Breite,Länge\nc1,Ulm,48.4011,9.9876\nc2,Bonn,50.7374,7.0982\n')
  await send('readers.json', JSON.stringify(readers))
  const { body } = await get()
  assert.match(body, /<th scope="row">A1<\/th><td>Alpha<\/td>.*<td>Ulm<\/td>/)
  assert.match(body, /<th scope="row">r1<\/th>.*<td>Ulm, Bonn<\/td>/)
  const fields = fieldsIn(body)
  assert.deepEqual([fields['1.2.label'], fields['1.3.label'], fields['0.2.label']], ['Breite', 'Länge', ''])
  assert.doesNotMatch(body, /aria-label="(?:Label|Unit|Missing values) of __proto__"/)
  const named = await post({ ...fields, '1.2.label': 'North', do: 'check' })
  assert.equal(fieldsIn(named.body)['1.2.label'], 'North')
  assert.match(named.body, /<th scope="col">latitude</)
})

test('a database is named by its path or URL, and some of its tables can be taken', async (t) => {
  const { cwd, open } = await settingUp(t)
  const database = new DatabaseSync(join(cwd, 'shop.sqlite'))
  database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, total REAL); CREATE TABLE secrets (id TEXT)')
  database.exec("INSERT INTO orders VALUES ('o1', 12.5)")
  database.close()
  const { get, post } = await open()
  assert.equal((await post({ path: ' shop.sqlite ', only: 'orders', do: 'add' })).status, 200)
  const { body } = await get()
  assert.match(body, /<th scope="row">o1<\/th>/)
  assert.doesNotMatch(body, /secrets|aria-label="Kind of/)
  assert.match((await post({ ...fieldsIn(body), '0.1.unit': '€', do: 'publish' })).body, /is written/)
  assert.match(await world(cwd), /total: \{ type: number, x-unit: € \}/)
  assert.match(await world(cwd), /sqlite: shop\.sqlite,? *\s*table: orders/)
  assert.match((await post({ do: 'reset' })).body, /is written/)
})

test('records that a correction would reject are shown before anything is written', async (t) => {
  const { cwd, open } = await settingUp(t)
  const { send, get, post } = await open()
  await send('shops.csv', SHOPS)
  const fields = { ...fieldsIn((await get()).body), '0.1.kind': 'integer', do: 'publish' }
  const first = await post(fields)
  assert.equal(first.status, 422)
  assert.match(first.body, /2 records rejected/)
  assert.deepEqual(await readdir(cwd), ['shops.csv'])
  await writeFile(join(cwd, 'world.yaml'), 'name: Mine\n')
  assert.match((await post(fields)).body, /world\.yaml already/)
  assert.equal(await world(cwd), 'name: Mine\n')
})

test('a request during another one is refused, and so are long forms', async (t) => {
  const { ask, open, origin } = await settingUp(t, { 'shops.csv': SHOPS })
  const { own, post } = await open()
  const body = `${new URLSearchParams({ path: 'shops.csv', do: 'add' })}`
  const headers = { ...own, connection: 'close', 'content-length': body.length, expect: '100-continue' }
  const first = request(`${origin}/setup`, { method: 'POST', headers })
  first.flushHeaders()
  await once(first, 'continue')
  assert.equal((await post({ path: 'shops.csv', do: 'add' })).status, 409)
  first.end(body)
  const [answer] = await once(first, 'response')
  assert.equal(answer.statusCode, 200)
  assert.equal((await text(answer)).match(/<li>\S+shops\.csv<\/li>/g)?.length, 1)
  assert.equal((await ask('/setup', own, `name=${'x'.repeat(2 ** 22)}`)).status, 413)
})

test('what files hold is text in the page, and passwords are not in it', async (t) => {
  const { open } = await settingUp(t)
  const { send, get, post } = await open()
  await send('odd.csv', 'id,"<img src=x onerror=alert(1)>"\n1,"</td><script>alert(1)</script>"\n2,"""><b>"\n')
  const { body } = await get()
  assert.match(body, /&lt;script&gt;alert/)
  assert.doesNotMatch(body, /<img|<script>|<b>/)
  const lost = await post({ path: 'postgres://reader:geheim@127.0.0.1:1/shop', do: 'add' })
  assert.equal(lost.status, 422)
  assert.match(lost.body, /role="alert"/)
  assert.doesNotMatch(lost.body, /geheim/)
})

test('setup is refused beyond loopback, for replicas and where a world is', async (t) => {
  const cwd = await folderOf(t, {})
  const refused = async (...argv: string[]) => (await runWith(['serve', '--setup', ...argv], { cwd })).err
  assert.match(await refused('--host', '0.0.0.0'), /listens on 127\.0\.0\.1 only/)
  assert.match(await refused('--follow', 'https://sol.example'), /leave out --read-only and --follow/)
  await writeFile(join(cwd, 'world.yaml'), 'name: Mine\n')
  assert.match(await refused(), /There is .*world\.yaml already/)
})
