import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

test('a seed is refused where no node keeps a replica of a store in PostgreSQL', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n' })
  for (const [store, message] of [
    [
      'sqlite:world.db',
      /Only a node of a store in PostgreSQL, with a replica, has a seed\. Leave out --seed for .*world\.db/,
    ],
    ['postgres://world@127.0.0.1:1/sol?cache=none', /has a seed\. Leave out --seed for/],
  ] as const) {
    const search = store.startsWith('postgres') ? ['--search', 'opensearch://127.0.0.1:1/sol'] : []
    const { code, err } = await runWith(['serve', '--store', store, '--seed', 'sol.backup', ...search], {
      cwd,
    })
    assert.deepEqual([code, message.test(err)], [2, true], err)
  }
  const { code, err } = await runWith(['serve', '--follow', 'localhost:1', '--seed', 'sol.backup'], {
    cwd: await folderOf(t, {}),
  })
  assert.deepEqual([code, /Leave out --seed\./.test(err)], [2, true], err)
})

test('config masks the address of a seed, which may hold a signature', async (t) => {
  const env = { WORLD_SEED: 'https://objects.example/sol.backup?X-Signature=secret' }
  const { out } = await runWith(['config'], { cwd: await folderOf(t, { 'world.yaml': 'name: Sol\n' }), env })
  assert.match(out, /seed +\*{8}/)
})

test('without its database, a node does not ask for its seed', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n' })
  const store = 'postgres://world@127.0.0.1:1/sol'
  const { code, err } = await runWith(['serve', '--store', store, '--seed', 'none.backup'], { cwd })
  assert.deepEqual([code, /The database of the store cannot be reached/.test(err)], [1, true], err)
})
