import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { ROOT } from './source-files.ts'

/** Runs `npm test --` with these arguments. */
function run(...args: readonly string[]) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const argv = ['--conditions=@worldwright/source', 'test/run.ts', ...args]
  return spawnSync(process.execPath, argv, { cwd: ROOT, env, encoding: 'utf8' })
}

test('arguments that are folders, files or globs select the tests to run', () => {
  const { status, stdout } = run('packages/extensions/src/files/', './test/process-*.test.ts')
  assert.equal(status, 0, stdout)
  const files = [...stdout.matchAll(/^▶ (.*)$/gm)].map(([, file]) => file)
  assert.deepEqual(files, [
    'packages/extensions/src/files/byte-range.test.ts',
    'packages/extensions/src/files/idle-timeout.test.ts',
    'test/process-state.test.ts',
  ])
})

test('options are passed on to the test runner of Node.js', () => {
  const file = 'packages/extensions/src/files/byte-range.test.ts'
  const { status, stdout } = run(file, '--test-name-pattern=^HEAD|^everything', 'test/process-state.test.ts')
  assert.equal(status, 0, stdout)
  const passed = [...stdout.matchAll(/^✔ (.*) \(.*\)$/gm)].map(([, name]) => name)
  assert.deepEqual(passed, ['HEAD ignores ranges', 'everything a test leaves changed or running is named'])
})

test('an argument that selects no test is an error, and no test runs', () => {
  const { status, stdout, stderr } = run('test/process-state.test.ts', 'packages/nowhere')
  assert.equal(status, 1)
  assert.match(stderr, /packages\/nowhere holds no quick tests/)
  assert.equal(stdout, '')
  assert.match(run('packages/extensions/src/files', '--slow').stderr, /files holds no slow tests/)
})
