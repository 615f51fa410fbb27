import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { actionFiles, loadActions } from '@worldwright/extensions/action-files'
import { ROOT } from './source-files.ts'

test('the action in the reference is valid and behaves as documented', async () => {
  const text = await readFile(join(ROOT, 'docs/reference/actions.md'), 'utf8')
  const [, module = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'actions-page-'))
  try {
    await mkdir(join(folder, 'actions'))
    await writeFile(join(folder, 'actions/neighbours.mjs'), module)
    const store = createMemoryStore()
    const orbits = { io: 'jupiter', europa: 'jupiter', moon: 'earth' }
    await store.write(
      Object.entries(orbits).map(([id, planet]) => ({
        put: { type: 'sol:moon', id, attributes: { orbits: { type: 'sol:planet', id: planet } } },
      })),
    )
    const world = createWorld({
      id: 'urn:example:sol',
      types: [{ type: 'sol:moon' }],
      store,
      publicUrl: 'https://sol.example',
      actions: await loadActions(await actionFiles(folder), createValidator),
    })
    const answer = toFetch(world)
    const sol = await connect('https://sol.example', {
      fetch: async (input, init) => answer(new Request(input, init)),
    })
    assert.deepEqual((await sol.action('sol:neighbours', { moon: 'europa' })).output, ['io'])
    await assert.rejects(sol.action('sol:neighbours', { moon: 'x' }), { code: 'sol:no_such_moon' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
