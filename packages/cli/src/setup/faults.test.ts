import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, rm, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'
import { fieldsIn, settingUp } from './setting-up.fixture.ts'

const LAKES = 'no,lake\nl1,Eder\nl2,Ammer\n'

test('a file that is broken off is removed, and no bug is reported', async (t) => {
  const { cwd, origin, open, said } = await settingUp(t)
  const { own, get } = await open()
  const headers = { ...own, 'content-length': 1_000 }
  const sent = request(`${origin}/setup/file?name=half.csv`, { method: 'POST', headers })
  const path = join(cwd, 'half.csv')
  const until = async (isThere: boolean) => {
    while (existsSync(path) !== isThere) await setTimeout(5)
  }
  sent.on('error', () => {}).write('no,lake\nl1,')
  await until(true)
  sent.destroy()
  await until(false)
  while ((await get()).status === 409) await setTimeout(5)
  assert.equal(said(), '')
})

test('an interruption before the page is served ends it', { timeout: 20_000 }, async (t) => {
  const cwd = await folderOf(t, {})
  const { code } = await runWith(['serve', '--setup', '--port', '0'], { cwd, signal: AbortSignal.abort() })
  assert.equal(code, 0)
})

test('a file that cannot be written or fits no correction is refused with the reason', async (t) => {
  const { cwd, open } = await settingUp(t)
  const { get, post, send } = await open()
  const long = await send(`${'\u{1f600}'.repeat(150)}.csv`, LAKES)
  assert.deepEqual([long.status, long.body.startsWith('ENAMETOOLONG')], [422, true])
  await send('shops.csv', 'code,name\nA1,Alpha\nB2,Beta\n')
  await send('cities.csv', 'no,city\nc1,Ulm\nc2,Bonn\n')
  const fields = fieldsIn((await get()).body)
  const type = fields['1.type']?.replace(/:.*/, ':lake') ?? ''
  assert.equal((await post({ ...fields, '0.type': type, do: 'check' })).status, 200)
  const taken = await send('lakes.csv', LAKES)
  assert.deepEqual([taken.status, taken.body.includes(`another table has the type ${type}`)], [422, true])
  assert.deepEqual((await readdir(cwd)).toSorted(), ['cities.csv', 'shops.csv'])
})

test('a world.yaml whose schema cannot be written is not there, and can be published again', async (t) => {
  const { cwd, open } = await settingUp(t)
  const { get, post, send } = await open()
  await send('lakes.csv', LAKES)
  const schema = join(cwd, 'world.schema.json')
  await symlink(join(cwd, 'nowhere', 'x'), schema)
  const fields = { ...fieldsIn((await get()).body), do: 'publish' }
  assert.equal((await post(fields)).status, 422)
  assert.deepEqual((await readdir(cwd)).toSorted(), ['lakes.csv', 'world.schema.json'])
  await rm(schema)
  assert.match((await post(fields)).body, /is written/)
})
