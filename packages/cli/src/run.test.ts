import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWith } from './memory-io.fixture.ts'

test('every command prints help with examples on stdout', async () => {
  for (const command of [[], ['serve'], ['import'], ['show'], ['list'], ['get'], ['discover']]) {
    const { code, out, err } = await runWith([...command, '--help'])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /\nExamples:\n {2}npx worldwright /)
  }
})

test('help shows the allowed values of a setting', async () => {
  const { out } = await runWith(['import', '--help'])
  assert.match(out.replaceAll(/\s+/g, ' '), /--on-invalid <choice> .*\(choices: "reject", "warn", "stop"/)
  const { code, err } = await runWith(['import', 'x.csv', '--on-invalid', 'ignore'])
  assert.deepEqual([code, /Allowed choices are reject, warn, stop/.test(err)], [2, true])
})

test('--version prints the package version', async () => {
  const { code, out } = await runWith(['--version'])
  assert.equal(code, 0)
  assert.match(out, /^\d+\.\d+\.\d+\n$/)
})

test('wrong usage exits with 2 and is reported on stderr only', async () => {
  for (const argv of [
    [],
    ['nonsense'],
    ['show'],
    ['show', '--nonsense', 'sol.example'],
    ['list', 'sol.example', 'sol:moon', '--limit', '-1'],
    ['list', 'sol.example', 'sol:moon', '--limit', '1e3'],
    ['show', 'ftp://sol.example'],
    ['show', 'sol.example/path'],
    ['import', '--store', 'world.db', 'x.ndjson'],
    ['import', '--store', 'sqlite:world.db', '--type', 'Moon', 'x.ndjson'],
    ['import', '--store', 'sqlite:world.db', '-', '-'],
    ['serve', '--store', 'sqlite:/nonexistent/world.db', '/'],
  ]) {
    const { code, out, err } = await runWith(argv)
    assert.deepEqual([code, out], [2, ''], argv.join(' '))
    assert.notEqual(err, '')
  }
})

test('a definition together with --follow is refused with a message that repeats the arguments', async () => {
  const { code, err } = await runWith(['serve', './sol', '--follow', 'sol.example'])
  assert.deepEqual(
    [code, err],
    [2, 'error: A replica has no definition: give either ./sol, or --follow sol.example.\n'],
  )
})
