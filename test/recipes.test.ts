import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { followed, recipes } from './recipes.ts'

/** Start of the command in a recipe that runs the tests of the changed packages. */
const COMMAND = 'npm test -- '
/** Matches a line that defines a test or a store suite, and captures its name. */
const NAME = /^(?:test|describeStore)\('([^']+)'/gm

const all = recipes()

test('CONTRIBUTING has recipes for a format, a route, an extension and an engine', () => {
  assert.deepEqual(
    all.map(({ title }) => title),
    ['A format', 'A route', 'An extension', 'An engine'],
  )
})

test('the tests of all recipes pass in a copy of the repository', (t) => {
  const { folder, remove } = followed(all)
  t.after(remove)
  const files = all.flatMap(({ created }) => created.filter(isTest))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@worldwright/source', 'test/run.ts', ...files],
    { cwd: folder, env, encoding: 'utf8' },
  )
  assert.equal(status, 0, stdout + stderr)
  for (const file of files) {
    const names = [...readFileSync(join(folder, file), 'utf8').matchAll(NAME)].map(([, name = '']) => name)
    assert.ok(names.length > 0, file)
    for (const name of names) assert.ok(stdout.includes(name), `${name} did not run:\n${stdout}`)
  }
})

for (const { title, created, changed, commands } of all) {
  test(`the recipe "${title}" creates a test, and its command runs every test file that it touches`, () => {
    assert.ok(created.some(isTest))
    const command = commands.find((line) => line.startsWith(COMMAND)) ?? assert.fail('no command')
    const parts = command.slice(COMMAND.length).split(' ')
    const left = [...created, ...changed]
      .filter(isTest)
      .filter((file) => !parts.some((part) => `${file}/`.startsWith(`${part}/`)))
    assert.deepEqual(left, [])
  })
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts')
}
