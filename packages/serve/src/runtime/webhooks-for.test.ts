import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'
import { folderOf, servingWith } from '../../../cli/src/serving.fixture.ts'
import { receiver, SECRET } from '../../../extensions/src/webhooks/receiver.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"io"}\n'

test('a served world sends what changes after its first load, also in a file, and on from there after a restart', async (t) => {
  const { url, ids, until } = await receiver(t)
  const definition = `sources: [moons.ndjson]\nwebhooks: [{ url: "${url}", types: [sol:moon], secret: $HOOK }]\n`
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })

  const world = await servingWith(t, { HOOK: SECRET }, cwd, '--workers', '2')
  await writeFile(join(cwd, 'moons.ndjson'), `${MOONS}{"type":"sol:moon","id":"europa"}\n`)
  await until(() => ids().length > 0)
  assert.equal(await world.stop(), 0)
  await writeFile(join(cwd, 'moons.ndjson'), `${MOONS}{"type":"sol:moon","id":"ganymede"}\n`)
  await servingWith(t, { HOOK: SECRET }, cwd, '--workers', '1')
  await until(() => ids().includes('ganymede'))
  assert.deepEqual([...new Set(ids())], ['europa', 'ganymede'])
})

test('without a secret, or with a store that is not written to, a world with webhooks is not served', async (t) => {
  const definition = 'name: Sol\nwebhooks:\n  - url: https://sol.example/hook\n    secret: $HOOK\n'
  const cwd = await folderOf(t, { 'world.yaml': definition })
  const served = (env: Record<string, string>, ...flags: string[]) =>
    runWith(['serve', '--port', '0', '--workers', '1', ...flags], {
      cwd,
      env: { WORLD_LOG_FORMAT: 'text', ...env },
    })
  for (const HOOK of ['', 'whsec_aHVzaA==']) {
    const { code, err } = await served({ HOOK })
    assert.equal(code, 2)
    assert.match(
      err,
      /world\.yaml:4: \/webhooks\/0\/secret the environment variable HOOK must hold whsec_ and base64/,
    )
    assert.doesNotMatch(err, /aHVzaA/)
  }
  const { code, err } = await served({ HOOK: SECRET }, '--read-only')
  assert.equal(code, 2)
  assert.match(err, /Leave out readOnly, or webhooks/)
})

test('a type of webhooks that the world lacks is told with its line, also at a reload, and the world is served', async (t) => {
  const hook = '  - url: https://sol.example/hook\n    secret: $HOOK\n    types: [sol:moon, sol:mooon]\n'
  const definition = `sources: [moons.ndjson]\nwebhooks:\n${hook}`
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const world = await servingWith(t, { HOOK: SECRET }, cwd, '--workers', '1')
  const told =
    /warning: \S+world\.yaml:5: \/webhooks\/0\/types\/1 this world has no type sol:mooon; it has sol:moon\n/
  assert.match(world.greeting, told)
  assert.doesNotMatch(world.greeting, /no type sol:moon;/)
  await writeFile(join(cwd, 'world.yaml'), `name: Sol\n${definition}`)
  assert.match(
    await world.until(/Loaded again|have not changed/),
    /world\.yaml:6: \/webhooks\/0\/types\/1 this/,
  )
})

test('an import warns of a type of meaningTypes that the world lacks', async (t) => {
  const definition = 'sources: [moons.ndjson]\nmeaningTypes: [sol:note, sol:moon]\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const { code, err } = await runWith(['import'], { cwd, env: {} })
  assert.equal(code, 0)
  assert.match(
    err,
    /warning: \S+world\.yaml:2: \/meaningTypes\/0 this world has no type sol:note; it has sol:moon\n/,
  )
})
