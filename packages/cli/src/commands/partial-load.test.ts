import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadWorld, readDefinition } from '@worldwright/publish'
import { openSqliteStore } from '@worldwright/sqlite'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

test('a store whose first load was interrupted is not passed off as a whole world', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml':
      'id: urn:example:x\nsources: [{ file: a.csv, type: "x:a" }, { file: b.csv, type: "x:b" }]\n',
    'a.csv': 'id\n1\n',
    'b.csv': 'id\n1\n',
  })
  const store = openSqliteStore(join(cwd, 'world.db'))
  const { definition } = await readDefinition(join(cwd, 'world.yaml'))
  for await (const { event } of loadWorld({ definition, folder: cwd, store, step: 1 }))
    if (event === 'filled') break
  await store.close()

  const warning = /^warning: the first load of the sources is not complete: /m
  const { out } = await runWith(['status'], { cwd })
  assert.match(out, /^x:a: 1 entity\nOnly a part of the sources was loaded at \S+, 0 records rejected\.\n/)
  assert.equal(JSON.parse((await runWith(['status', '--json'], { cwd })).out).loaded.isPartial, true)
  assert.match((await runWith(['export'], { cwd })).err, warning)
  const site = ['export', '--site', 'public', '--public-url', 'https://x.example']
  assert.match((await runWith(site, { cwd })).err, warning)
  const world = await serving(t, cwd, '--read-only')
  assert.match(world.greeting, warning)
  assert.equal(await world.stop(), 0)

  assert.equal((await runWith(['import'], { cwd })).code, 0)
  assert.match((await runWith(['status'], { cwd })).out, /^The sources were loaded at/m)
  assert.doesNotMatch((await runWith(['export'], { cwd })).err, warning)
})
