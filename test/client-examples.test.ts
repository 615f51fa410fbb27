import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connect } from '@worldwright/client'
import { memoryWorld } from '@worldwright/client/testing'
import { build } from 'esbuild'
import { createElement } from 'react'
import { prerender } from 'react-dom/static'
import { runProgram, serve } from './command.ts'
import { ROOT } from './source-files.ts'

const EXAMPLES = 'examples/client'

async function folderOf(t: TestContext) {
  // Inside the repository, so that programs built there resolve the packages by name.
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

test('the tests with a world in memory pass', async () => {
  const { code, stdout } = await runProgram(`${EXAMPLES}/testing/title-of.test.ts`, [])
  assert.equal(code, 0, stdout)
})

test('the React component shows the hits, and failures in words', async (t) => {
  const outfile = join(await folderOf(t), 'moon-list.mjs')
  const entryPoints = [join(ROOT, EXAMPLES, 'react/moon-list.tsx')]
  await build({ entryPoints, outfile, bundle: true, packages: 'external', format: 'esm', jsx: 'automatic' })
  const { MoonList, search } = await import(pathToFileURL(outfile).href)
  const titles = ['Europa', 'Enceladus <b>']
  const entities = titles.map((title) => ({ type: 'sol:moon', id: title, title, attributes: {} }))
  const memory = memoryWorld({ entities })
  const world = await connect(memory.origin, { fetch: memory.fetch, retries: 0 })
  const shown = async () => {
    const { prelude } = await prerender(createElement(MoonList, { found: search(world, '') }))
    return new Response(prelude).text()
  }
  assert.match(await shown(), /<ul><li>Europa<\/li><li>Enceladus &lt;b&gt;<\/li><\/ul>/)
  memory.fail({ kind: 'rate_limited' })
  assert.match(await shown(), /<p role="alert">Too many questions\. Try again soon\.<\/p>/)
})
