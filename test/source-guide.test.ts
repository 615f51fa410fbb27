import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { connect } from '@worldwright/client'
import { runProgram } from './command.ts'
import { ROOT } from './source-files.ts'

const GUIDE = await readFile(join(ROOT, 'docs/guides/build-your-own-source.md'), 'utf8')

/** Writes the files of the guide and the sources that it links to into a folder, with free ports. */
async function folderOf(t: TestContext, origin = ''): Promise<string> {
  // The folder is inside the repository, so that programs in it can import the packages by name.
  const folder = await mkdtemp(join(ROOT, 'test', 'examples-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [, path = ''] of GUIDE.matchAll(/\]\(\.\.\/\.\.\/(examples\/sources\/\S+)\)/g))
    await cp(join(ROOT, path), join(folder, path.replace(/.*\//, '')))
  for (const [, name = '', code = ''] of GUIDE.matchAll(/^`(\S+)`:\n\n```ts\n(.*?)^```/gms))
    await writeFile(
      join(folder, name),
      code.replace('port: 8080', 'port: 0').replace('https://api.sol.example', origin),
    )
  return folder
}

/** Starts a program that prints its address, and connects to the world. */
async function worldOf(t: TestContext, folder: string, program: string) {
  const child = spawn(process.execPath, ['--conditions=@worldwright/source', program], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return connect(line)
}

test('an array is a world, and passes the suite', async (t) => {
  const folder = await folderOf(t)
  const world = await worldOf(t, folder, 'array-world.ts')
  assert.equal((await world.get('sol:moon', 'io')).title, 'Io')
  assert.equal((await world.discover({ text: 'europa' })).total, 1)
  const { code, stdout } = await runProgram(join(folder, 'array-source.test.ts'), [])
  assert.equal(code, 0, stdout)
})

test('rows of a database are a world', async (t) => {
  const folder = await folderOf(t)
  const database = new DatabaseSync(join(folder, 'sol.db'))
  t.after(() => database.close())
  database.exec('CREATE TABLE moon (id TEXT PRIMARY KEY, name TEXT, radius_km REAL)')
  database.exec("INSERT INTO moon VALUES ('io', 'Io', 1821.6)")
  const world = await worldOf(t, folder, 'sql-world.ts')
  assert.deepEqual((await world.get('sol:moon', 'io')).attributes, { radiusKm: 1821.6 })
  database.exec("INSERT INTO moon VALUES ('europa', 'Europa', 1560.8)")
  const moons = await Array.fromAsync(world.entities('sol:moon'))
  assert.deepEqual(
    moons.map(({ title }) => title),
    ['Europa', 'Io'],
  )
})

test('an API is a world with an index', async (t) => {
  const io = { id: 'io', name: 'Io', radius: 1821.6 }
  const server = createServer(({ url = '' }, response) => {
    const isFirst = url.includes('after=&')
    const body = url === '/' ? { 'sol:moon': 1 } : url.includes('?') ? (isFirst ? [io] : []) : io
    response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = await folderOf(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const world = await worldOf(t, folder, 'api-world.ts')
  assert.equal((await world.get('sol:moon', 'io')).title, 'Io')
  // Only an index finds a word by its beginning.
  assert.equal((await world.discover({ text: 'i' })).total, 1)
})

test('the README of the core has the array source of the guide', async () => {
  const codeIn = (text: string) =>
    /export function arraySource.*?^```/ms.exec(text)?.[0] ?? assert.fail('there is no such function')
  const readme = await readFile(join(ROOT, 'packages/core/README.md'), 'utf8')
  assert.equal(codeIn(readme), codeIn(GUIDE))
})
