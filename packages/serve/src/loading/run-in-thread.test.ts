import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultOf } from '@worldwright/publish'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'
import { folderOf } from '../../../cli/src/serving.fixture.ts'
import { runInThread } from './run-in-thread.ts'

const SMALL = { maxOldGenerationSizeMb: 64 }
const { signal } = new AbortController()

test('an import in a thread shows progress on the terminal and reports wrong usage', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': '{"type":"sol:moon","id":"io"}\n' })
  const loaded = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:sol.db'], { cwd, terminal: 80 })
  assert.equal(loaded.code, 0)
  // The progress of such a short load is shown only on a terminal.
  assert.match(loaded.err, /putting 1 entity in place[\s\S]*1 new/)
  const wrong = await runWith(['import', '-', '-', '--store', 'sqlite:sol.db'], { cwd })
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /^error: The standard input can be read only once\.$/m)
})

test('a source that exhausts the memory of the thread ends only the load', async (t) => {
  const numbers = Array.from({ length: 500_000 }, (_, index) => index)
  const text = `- {type: "sol:moon", id: io, masses: [${numbers.join(', ')}]}\n`
  const cwd = await folderOf(t, { 'moons.yaml': text })
  const input = { files: ['moons.yaml'], flags: { store: 'sqlite:sol.db' }, env: {}, cwd }
  const load = runInThread({ task: 'importFiles', input }, { signal, heap: SMALL })
  await assert.rejects(resultOf(load), {
    name: 'SourceFault',
    message: /too large to be read whole.*it was not loaded/,
  })
})

test('an aborted import reports that nothing was loaded', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': '{"type":"sol:moon","id":"io"}\n' })
  const { code, err } = await runWith(['import', 'moons.ndjson', '--store', 'sqlite:sol.db'], {
    cwd,
    signal: AbortSignal.abort(),
  })
  assert.equal(code, 1)
  assert.match(err, /Interrupted\. Nothing was loaded/)
})
