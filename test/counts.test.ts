import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Counts, summaryOf } from './counts.ts'
import { ROOT, sourceFiles } from './source-files.ts'

const TESTS = `
import { describe, test } from 'node:test'
test('passes', () => {})
test('is skipped while it runs', (t) => t.skip('not run: this machine has no Chromium'))
describe('a suite', () => {
  test('is skipped before it runs', { skip: 'not run: this machine has no Chromium' }, () => {})
  // The reporter has to name a skip without a reason too.
  test('is skipped for no reason', { skip: true }, () => {})
})
describe('a skipped suite', { skip: 'not run: this machine has no Chromium' }, () => {
  test('is never seen', () => {})
})
test('all tests of x.test.ts', (t) => t.skip('not run: this machine has no PostgreSQL'))
`

test('the reporter counts skipped tests per reason', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'counts-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'x.test.mjs')
  await writeFile(file, TESTS)
  // With this variable, the new process would report to the test runner that runs this file.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  for (const mode of [[], ['--test'], ['--test', '--test-isolation=none']]) {
    const reporter = ['--test-reporter', join(ROOT, 'test/counts-reporter.ts')]
    const { stdout } = await promisify(execFile)(process.execPath, [...reporter, ...mode, file], { env })
    const { tests, passed, skipped, notRun } = JSON.parse(stdout) as Counts
    assert.deepEqual([tests, passed, skipped], [5, 1, 4])
    assert.deepEqual(notRun, {
      'not run: this machine has no Chromium': { tests: 2, files: [] },
      'no reason is given': { tests: 1, files: [] },
      'not run: this machine has no PostgreSQL': { tests: 0, files: ['x.test.ts'] },
    })
  }
})

test('the summary adds up all runs and lists skipped tests before the totals', () => {
  const none = { tests: 10, passed: 8, failed: 0, cancelled: 0, skipped: 2, todo: 0 }
  const postgres = 'not run: this machine has no PostgreSQL'
  const runs: Counts[] = [
    { ...none, notRun: { [postgres]: { tests: 1, files: [] }, 'odd reason': { tests: 1, files: [] } } },
    { ...none, failed: 1, notRun: { [postgres]: { tests: 1, files: ['a.test.ts'] } } },
    { ...none, skipped: 0, notRun: {} },
  ]
  assert.equal(
    summaryOf(runs, 1234.5),
    `all 3 runs together:
not run: 2 tests and all of a.test.ts, this machine has no PostgreSQL
not run: 1 test, odd reason
ℹ tests 30
ℹ pass 24
ℹ fail 1
ℹ cancelled 0
ℹ skipped 4
ℹ todo 0
ℹ duration_ms 1235
`,
  )
})

/** Matches the reason given in a call of `skip` or in the option `skip`. */
const REASON = /\bskip(?:\(|:[^,}\n]*&& )\s*(['"`])(.*?)\1/g

test('every reason to skip a test names what the machine lacks', () => {
  const reasons = sourceFiles()
    .filter(({ path }) => /\.(?:test|fixture)\.ts$/.test(path) && path !== 'test/counts.test.ts')
    .flatMap(({ path, text }) => [...text.matchAll(REASON)].map(([, , reason]) => `${path}: ${reason}`))
  assert.ok(reasons.length > 5)
  assert.deepEqual(
    reasons.filter((reason) => !/: not run: this machine has no /.test(reason)),
    [],
  )
})
