import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { build } from 'esbuild'
import { runProgram, serve } from './command.ts'
import { ROOT } from './source-files.ts'

const EXAMPLES = 'examples/client'

async function folderOf(t: TestContext) {
  // The folder is inside the repository, so that programs in it can import the packages by name.
  const folder = await mkdtemp(join(ROOT, 'test', 'examples-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('the script and the worker read the demo world', async (t) => {
  const store = `sqlite:${join(await folderOf(t), 'sol.db')}`
  const { origin } = await serve(t, 'examples/solar-system', '--store', store)
  const script = await runProgram(`${EXAMPLES}/script/moons.ts`, [origin])
  assert.deepEqual([script.code, script.stderr], [0, ''])
  assert.match(script.stdout, /^.+:\n( {2}.+\n){3}\d+ of \d+ moons\n$/)
  const worker = await runProgram(`${EXAMPLES}/worker/main.ts`, [origin])
  assert.deepEqual([worker.code, worker.stderr], [0, ''])
  assert.match(worker.stdout, /^[1-9]\d* moons\n$/)
})

test('the script prints the error', async () => {
  const { code, stderr } = await runProgram(`${EXAMPLES}/script/moons.ts`, ['https://sol.example/no-origin'])
  assert.equal(code, 1)
  assert.match(stderr, /^invalid_argument: /)
})

test('the tests of the example, which use an in-memory world, pass', async () => {
  const { code, stdout } = await runProgram(`${EXAMPLES}/testing/title-of.test.ts`, [])
  assert.equal(code, 0, stdout)
})

test('the tests of the live collection and the live query pass', async () => {
  const { code, stdout } = await runProgram(`${EXAMPLES}/live/live.test.ts`, [])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^ℹ tests 2$/m)
})

test('the tests of the React component and of the Vue composables pass', async (t) => {
  const outfile = join(await folderOf(t), 'moon-list.test.mjs')
  const entryPoints = [join(ROOT, EXAMPLES, 'react/moon-list.test.tsx')]
  await build({ entryPoints, outfile, bundle: true, packages: 'external', format: 'esm', jsx: 'automatic' })
  for (const file of [outfile, `${EXAMPLES}/vue/use-world.test.ts`]) {
    const { code, stdout, stderr } = await runProgram(file, [])
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^ℹ tests [3-9]$/m)
  }
})
