import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { followed, recipes } from './recipes.ts'
import { ROOT } from './source-files.ts'

const NODE = 'node --conditions=@worldwright/source'
const all = recipes()
const files = [...new Set(all.flatMap(({ created, changed }) => [...created, ...changed]))]
const code = files.filter((file) => file.endsWith('.ts'))
const { folder, remove } = followed(all)
after(remove)

/** Runs a shell command in the copy. Fails with the output of the command if the command fails. */
function run(command: string): void {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${env['PATH']}`
  const options = { cwd: folder, env: { ...env, PATH }, encoding: 'utf8', shell: true } as const
  const { status, stdout, stderr } = spawnSync(command, options)
  assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
}

test('the code in the recipes is formatted, linted and type-checked', () => {
  run(`biome ci --error-on-warnings ${files.filter((file) => /\.(?:ts|json)$/.test(file)).join(' ')}`)
  writeFileSync(
    join(folder, 'tsconfig.recipes.json'),
    JSON.stringify({ extends: './tsconfig.json', include: [], files: code }),
  )
  run('tsc -p tsconfig.recipes.json')
})

test('once the commands of the recipes have run, the structural and reference tests pass', () => {
  for (const { commands } of all)
    for (const command of commands) if (!command.startsWith('npm test')) run(command)
  const tests = all.flatMap(({ changed }) => changed.filter((file) => file.endsWith('.test.ts')))
  const structure = ['sources', 'imports', 'reference', 'world-yaml'].map((name) => `test/${name}.test.ts`)
  run(`${NODE} --test ${[...structure, ...tests].join(' ')}`)
})

test('a world serves what the recipes have added', async (t) => {
  const world = join(folder, 'sol')
  mkdirSync(world)
  writeFileSync(join(world, 'moons.logfmt'), 'id=io title=Io\nid=europa title=Europa\n')
  writeFileSync(join(world, 'world.yaml'), 'name: Sol\nsources: [{ file: moons.logfmt, type: sol:moon }]\n')
  // Import from the copy, so that the copy is served.
  const { serve } = await import(join(folder, 'test/command.ts'))
  const { origin } = await serve(t, world)
  const answer = async (path: string) => (await fetch(origin + path)).text()
  assert.equal(await answer('/api/world/v0/ids/sol:moon'), 'europa\nio\n')
  assert.equal(await answer('/download/sol:moon.logfmt'), 'id=europa title=Europa\nid=io title=Io\n')
})
