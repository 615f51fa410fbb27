import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const DEFINITION = `attachments: pictures
sources:
  - { file: moons.csv, type: sol:moon, id: id, attributes: [], attachments: { photo: file, more: { column: more, separator: ";" } } }
`
const MOONS = 'id,file,more\nio,io #1.png,a.pdf; b/c.png\neuropa,none.png,\n'

/** Every process must serve attachments. */
for (const workers of ['1', '2'])
  test(`attachments named by entities are served (workers: ${workers})`, async (t) => {
    const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.csv': MOONS })
    await mkdir(join(cwd, 'pictures/b'), { recursive: true })
    for (const name of ['io #1.png', 'a.pdf', 'b/c.png']) await writeFile(join(cwd, 'pictures', name), name)
    const world = await serving(t, cwd, '--workers', workers)
    assert.match(
      world.greeting,
      /1 name of attachments that are not there; the first: moons\.csv:3 "photo" names "none\.png"/,
    )
    const { attributes } = JSON.parse((await runWith(['get', world.url, 'sol:moon', 'io', '--json'])).out)
    assert.deepEqual(attributes, {
      photo: '/attachments/io%20%231.png',
      more: ['/attachments/a.pdf', '/attachments/b/c.png'],
    })
    for (const path of [attributes.photo, ...attributes.more]) {
      const response = await fetch(new URL(path, world.url))
      assert.equal(`/attachments/${encodeURIComponent(await response.text()).replace('%2F', '/')}`, path)
    }
    const document = JSON.parse((await runWith(['show', world.url, '--json'])).out)
    assert.deepEqual(document.extensions['worldwright:attachments'], { path: '/attachments' })
    assert.equal((await fetch(`${world.url}/attachments/..%2fworld.yaml`)).status, 404)
  })

test('the folder of the definition is refused as the attachments folder', async (t) => {
  for (const attachments of ['.', '..', '../']) {
    const cwd = await folderOf(t, { 'world.yaml': `attachments: ${attachments}\n` })
    const { code, err } = await runWith(['serve', '--port', '0'], { cwd })
    assert.equal(code, 2, err)
    assert.match(err, /holds the definition itself\. Give them a folder of their own/)
  }
})

test('files that a source names in a world without a folder for them are warned of', async (t) => {
  const definition = DEFINITION.replace('attachments: pictures\n', '')
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.csv': MOONS })
  const { greeting } = await serving(t, cwd)
  assert.match(greeting, /world\.yaml:2: \/sources\/0\/attachments the world serves no files/)
})
