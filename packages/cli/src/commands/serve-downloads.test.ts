import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const DEFINITION = `name: Sol
license: CC-BY-4.0
attribution: Sol observatory
sources: [moons.ndjson]
`
const MOONS = `{"type":"sol:moon","id":"europa","title":"Europa"}
{"type":"sol:moon","id":"io","attributes":{"radius":1821,"next":{"type":"sol:moon","id":"europa"}}}
`

/** The primary creates the downloads, but every process must serve them. */
for (const workers of ['1', '2'])
  test(`a world and its types can be downloaded (workers: ${workers})`, async (t) => {
    const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
    const world = await serving(t, cwd, '--workers', workers)
    const document = JSON.parse((await runWith(['show', world.url, '--json'])).out)
    assert.equal(document.world.license, 'CC-BY-4.0')
    const { path, formats } = document.extensions['worldwright:downloads']
    assert.deepEqual(Object.keys(formats), ['ndjson', 'csv', 'xlsx', 'parquet', 'geojson'])
    const { downloads } = (await (await fetch(world.url + path)).json()) as { downloads: { path: string }[] }
    assert.ok(downloads.some((download) => download.path === '/download/sol%3Amoon.csv'))
    for (const download of downloads) {
      const response = await fetch(world.url + download.path)
      assert.equal(response.status, 200, download.path)
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.equal(String(bytes.length), response.headers.get('content-length'))
    }
    const table = await (await fetch(`${world.url}${path}/sol%3Amoon.csv`)).text()
    assert.equal(table, 'id,title,summary,radius,next\neuropa,Europa,,,\nio,,,1821,europa\n')
    const titled = await (await fetch(`${world.url}${path}/sol%3Amoon.csv?titles=true`)).text()
    assert.match(titled, /,next,next title\neuropa,Europa,,,,\nio,,,1821,europa,Europa\n$/)
    const part = await fetch(`${world.url}${path}/sol:moon.parquet`, { headers: { range: 'bytes=-4' } })
    assert.equal(await part.text(), 'PAR1')
    const { paths } = (await (await fetch(`${world.url}/openapi.json`)).json()) as { paths: object }
    assert.ok(Object.hasOwn(paths, '/download/{file}'))
    await world.stop()
    assert.equal((await readdir(join(cwd, 'world.db.downloads'))).length, 2 * (downloads.length + 1))
  })

test('a read-only world keeps its downloads outside its folder, and --no-downloads disables them', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': MOONS })
  await (await serving(t, cwd, '--workers', '1')).stop()
  const world = await serving(t, cwd, '--workers', '1', '--read-only')
  assert.equal((await fetch(`${world.url}/download/world.ndjson`)).status, 200)
  await world.stop()
  const other = await serving(t, cwd, '--workers', '1', '--no-downloads')
  assert.equal((await fetch(`${other.url}/download/world.ndjson`)).status, 404)
  assert.equal(existsSync(join(cwd, 'world.db.downloads')), false)
})
