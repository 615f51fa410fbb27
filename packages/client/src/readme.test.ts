import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { isWorldError } from './error.ts'
import { memoryWorld } from './testing/memory-world.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const REFERENCE = '../../../docs/reference/client.md'

/** Runs the code blocks of a page in order against a memory world and returns the lines that they print. */
async function run(page: string): Promise<unknown[][]> {
  const blocks = [...read(page).matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '')
  assert.ok(blocks.length > 0)
  const code = blocks.join('\n').replaceAll(/^import .*$/gm, '')
  const moons = ['callisto', 'europa'].map((id) => ({
    type: 'sol:moon',
    id,
    attributes: { of: 'ice and ocean' },
  }))
  const memory = memoryWorld({ origin: 'https://sol.example', entities: moons })
  const lines: unknown[][] = []
  const program = new Function(
    'connect',
    'isWorldError',
    'memoryWorld',
    'console',
    `return (async () => {${code}})()`,
  )
  const given = (origin: string, options: object) => connect(origin, { fetch: memory.fetch, ...options })
  const console = { log: (...line: unknown[]) => lines.push(line) }
  await program(given, isWorldError, memoryWorld, console)
  return lines
}

test('the README example runs', async () => {
  assert.deepEqual(await run('../README.md'), [['callisto'], ['europa']])
})

test('the README example has ten lines', () => {
  const code = /```ts\n(.*?)```/s.exec(read('../README.md'))?.[1] ?? ''
  const lines = code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import '))
  assert.ok(lines.length <= 10, `${lines.length}`)
})

test('the programs in the guide run in order', async () => {
  const lines = await run('../../../docs/guides/read-a-world.md')
  assert.deepEqual(lines[0], ['sol:moon', ''])
  assert.ok(lines.some(([total, ids]) => total === 2 && ids === 'callisto,europa'))
  assert.ok(lines.some(([line]) => line === 'no such moon'))
  assert.deepEqual(lines.slice(-2), [['https://sol.example'], [1]])
})

test("the reference lists exactly the client's own error codes", () => {
  const type = /export type ClientErrorCode =(.*?)\n\n/s.exec(read('./error.ts'))?.[1] ?? ''
  const declared = [...type.matchAll(/['`](.+?)['`]/g)].map(([, code]) => code?.replace(/\$.*/, '<status>'))
  const section = read(REFERENCE).split('\n## Errors\n')[1] ?? ''
  const listed = [...section.matchAll(/^\| `([a-z_<>]+)` \|/gm)].map(([, code]) => code)
  assert.ok(declared.length > 10)
  assert.deepEqual(listed.toSorted(), declared.toSorted())
})

test('the reference lists exactly the options of connect and the package entry points', () => {
  const options = ['./discovery.ts', './connect.ts', './request.ts'].map(read).join('\n')
  const declared = ['ConnectOptions', 'WorldOptions', 'Limits'].flatMap((name) => {
    const body = new RegExp(`export interface ${name} [^{]*\\{(.*?)\\n\\}`, 's').exec(options)?.[1] ?? ''
    return [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, option]) => option)
  })
  const section = /\n## connect\n(.*?)\n## /s.exec(read(REFERENCE))?.[1] ?? ''
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, option]) => option)
  assert.deepEqual(listed.toSorted(), declared.toSorted())
  const entries = Object.keys(JSON.parse(read('../package.json')).exports).filter(
    (name) => !name.endsWith('.json'),
  )
  for (const entry of entries) {
    const name = `@worldwright/client${entry.slice(1)}`
    assert.ok(read('../README.md').includes(`\`${name}\``), name)
  }
})
