import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'

/** A world that is being served, and a way to wait for what it says. */
async function serving(t: TestContext, files: Record<string, string>, env: Record<string, string> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'world-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  const ending = new AbortController()
  const stderr = new PassThrough()
  const ended = runWith(['serve', '--port', '0'], { cwd, env, stderr, signal: ending.signal })
  t.after(async () => {
    ending.abort()
    await ended
    await rm(cwd, { recursive: true })
  })
  let said = ''
  const chunks = stderr.iterator({ destroyOnReturn: false })
  const until = async (pattern: RegExp) => {
    for (let match = pattern.exec(said); ; match = pattern.exec(said)) {
      if (match) {
        const before = said.slice(0, match.index + match[0].length)
        said = said.slice(before.length)
        return { before, match }
      }
      const next = await chunks.next()
      if (next.done) assert.fail(said)
      said += next.value
    }
  }
  const { match } = await until(/Serving at (\S+)/)
  await until(/Read it:.*\n/)
  const url = match[1] ?? ''
  const ids = async () => {
    const { out } = await runWith(['list', url, 'sol:moon', '--json'])
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id)
  }
  return { cwd, url, until, ids }
}

test('a source that changes is loaded again while its world is served', async (t) => {
  const world = await serving(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  assert.deepEqual(await world.ids(), ['europa', 'io'])
  await writeFile(
    join(world.cwd, 'moons.ndjson'),
    '{"type":"sol:moon","id":"io"}\n{"type":"sol:moon","id":"thebe"}\n',
  )
  await world.until(/Loaded again/)
  assert.deepEqual(await world.ids(), ['io', 'thebe'])
})

test('a file that breaks keeps what is served, and is named with its line and reason', async (t) => {
  const world = await serving(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  await writeFile(join(world.cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n{"type":"sol:moon",\n')
  const { before } = await world.until(/NOT LOADED[\s\S]*moons\.ndjson:2 .*\n/)
  assert.match(before, /moons\.ndjson:2 malformed: not JSON/)
  assert.deepEqual(await world.ids(), ['europa', 'io'])
  await writeFile(join(world.cwd, 'world.yaml'), 'sources: [moons.ndjson]\nnmae: Sol\n')
  await world.until(/NOT LOADED[\s\S]*world\.yaml:2: \/nmae is unknown/)
  assert.deepEqual(await world.ids(), ['europa', 'io'])
  await writeFile(join(world.cwd, 'world.yaml'), 'sources: [moons.ndjson]\nname: Sol\n')
  await writeFile(join(world.cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
  await world.until(/Loaded again/)
  assert.deepEqual(await world.ids(), ['io'])
  const { world: described } = JSON.parse((await runWith(['show', world.url, '--json'])).out)
  assert.equal(described.name, 'Sol')
})

test('what was written over HTTP is not deleted because a source changes', async (t) => {
  const definition = 'operator: true\nsources: [moons.ndjson]\n'
  const world = await serving(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const { out: token } = await runWith(['token', 'create', '--scope', 'write'], { cwd: world.cwd })
  const written = await fetch(`${world.url}/api/operator/v0/entities/sol%3Amoon/thebe`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
    body: '{"attributes":{}}',
  })
  assert.equal(written.status, 201)
  await writeFile(join(world.cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
  await world.until(/sol:moon was also written by others/)
  assert.deepEqual(await world.ids(), ['europa', 'io', 'thebe'])
})

test('a private world is read with a token alone, and a revoked token is over', async (t) => {
  const world = await serving(t, {
    'world.yaml': 'private: true\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const list = ['list', world.url, 'sol:moon']
  assert.match((await runWith(list)).err, /unauthenticated/)
  const { out } = await runWith(['token', 'create', '--json'], { cwd: world.cwd })
  const { token, id } = JSON.parse(out)
  assert.equal((await runWith([...list, '--token', token])).code, 0)
  assert.equal((await runWith(['token', 'revoke', id], { cwd: world.cwd })).code, 0)
  assert.match((await runWith([...list, '--token', token])).err, /unauthenticated/)
})
