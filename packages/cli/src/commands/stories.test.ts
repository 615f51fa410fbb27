import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const view = (address: string) => `\n\`\`\`view\n${address}\n\`\`\`\n`

async function world(t: TestContext, definition: string, story: string) {
  const cwd = await folderOf(t, {
    'world.yaml': `${definition}\nsources: [moons.ndjson]\n`,
    'moons.ndjson': '{"type":"sol:moon","id":"io","title":"Io","attributes":{"radius":1821}}\n',
  })
  await mkdir(join(cwd, 'stories'))
  await writeFile(join(cwd, 'stories/tour.md'), story)
  return cwd
}

const textAt = async (url: string) => {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  return [response.status, await response.text()] as const
}

test('serve tells faulty views and missing entities with file and line, and shows a changed story', async (t) => {
  const blocks = ['/v/sol:moon?sort=-radius', '/v/sol:moon?is.size=1', 'sol:moon/gone', 'sol:none/x']
  const cwd = await world(t, 'name: Sol', `# Tour\n${blocks.map(view).join('')}`)
  const { url, greeting, until } = await serving(t, cwd, '--workers', '1')
  assert.match(greeting, /error: .*stories\/tour\.md:7: sol:moon: .*size is not a queryable property.*\n/)
  assert.match(
    greeting,
    /warning: .*stories\/tour\.md:11: sol:moon\/gone: There is no entity of this type and id\.\n/,
  )
  assert.match(greeting, /error: .*stories\/tour\.md:15: sol:none\/x: This world has no such entity type/)
  assert.doesNotMatch(greeting, /tour\.md:3/)
  assert.match((await textAt(`${url}/s/tour`))[1], />Io<\/a>/)
  await writeFile(join(cwd, 'stories/tour.md'), '# Changed\n')
  await until(/The sources have not changed/)
  assert.match((await textAt(`${url}/s/tour`))[1], /<h1 dir="auto">Changed<\/h1>/)
  await writeFile(join(cwd, 'stories/tour.md'), `# Foreign\n${view('https://evil.example/v/sol:moon')}`)
  await until(/NOT LOADED[\s\S]*stories\/tour\.md:3: a view is an address of this world/)
  assert.match((await textAt(`${url}/s/tour`))[1], /Changed/)
})

test('world import tells the faults of stories, and fails', async (t) => {
  const cwd = await world(t, 'name: Sol', `# Tour\n${view('sol:moon/gone')}${view('/v/sol:none')}`)
  const { code, err } = await runWith(['import'], { cwd })
  assert.equal(code, 1)
  assert.match(
    err,
    /warning: .*tour\.md:3: sol:moon\/gone: There is no entity[\s\S]*error: .*tour\.md:7: .*sol:none/,
  )
  await writeFile(join(cwd, 'stories/tour.md'), `# Tour\n${view('sol:moon/io')}`)
  assert.equal((await runWith(['import'], { cwd })).code, 0)
})

test('a private world shows its stories to nobody, and serve --pages false has none', async (t) => {
  const cwd = await world(t, 'private: true', '# Secret tour\n')
  const { url, stop } = await serving(t, cwd, '--workers', '1')
  for (const path of ['/s/tour', '/', '/.well-known/world.json'])
    assert.doesNotMatch((await textAt(url + path))[1], /Secret/, path)
  assert.notEqual((await textAt(`${url}/s/tour`))[0], 200)
  await stop()
  const { url: open } = await serving(t, cwd, '--workers', '1', '--no-private', '--no-pages')
  assert.equal((await textAt(`${open}/s/tour`))[0], 404)
})
