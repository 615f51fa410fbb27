import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

/** A third-party engine, loaded from its own file. */
const ENGINE = join(import.meta.dirname, '../../../engines/src/other-engine.fixture.ts')

test('a world stored in a third-party engine is loaded, served by several processes, and searched', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'id: urn:example:sol\nsources:\n  - moons.ndjson\n',
    'moons.ndjson':
      '{"type":"sol:moon","id":"io","title":"Io"}\n{"type":"sol:moon","id":"europa","title":"Europa"}\n',
  })
  const env = { WORLD_LOG_FORMAT: 'text', WORLD_ENGINES: `other=${ENGINE}` }
  const store = `other:${join(cwd, 'other.db')}`
  const made = await runWith(['token', 'create', '--scope', 'write', '--store', store], { cwd, env })
  assert.equal(made.code, 0, made.err)
  const world = await serving(t, cwd, '--store', store, '--workers', '2')
  await world.until(/Workers ready.*\n/)
  for (let count = 0; count < 4; count += 1) assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
  const found = await runWith(['discover', world.url, 'europa', '--json'])
  assert.match(found.out, /"id":"europa"/)
  assert.equal(await world.stop(), 0)

  const backup = await runWith(['backup', join(cwd, 'copy.db'), '--store', store], { cwd, env })
  assert.equal(backup.code, 1)
  assert.match(backup.err, /The storage engine other cannot back up its stores/)
})

test('an invalid WORLD_ENGINES value is refused', async (t) => {
  const cwd = await folderOf(t, {})
  const { code, err } = await runWith(['status'], { cwd, env: { WORLD_ENGINES: 'other' } })
  assert.equal(code, 2)
  assert.match(err, /SCHEME=MODULE/)
})
