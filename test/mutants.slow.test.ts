import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { MUTANTS, mutated } from './mutants.ts'
import { ROOT } from './source-files.ts'

/** Time limit of a run, in milliseconds, since a mutant may loop endlessly. */
const LIMIT_MS = 120_000

/** Outcome of a run of fast test files. */
interface Run {
  readonly succeeded: boolean
  /** Number of failed assertions that the report mentions. */
  readonly assertions: number
  readonly report: string
}

/** Runs test files in a separate process, with the fault `mutant` in the code if given. */
function runTests(files: readonly string[], mutant?: string): Promise<Run> {
  const env = { ...process.env }
  // With this variable, the process would report to the test runner that runs this file.
  delete env['NODE_TEST_CONTEXT']
  if (mutant !== undefined) env['MUTANT'] = mutant
  const argv = [
    '--conditions=@worldwright/source',
    `--import=${join(ROOT, 'test/mutate.ts')}`,
    '--test',
    '--test-isolation=none',
    '--test-reporter=tap',
    ...files,
  ]
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env, timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 }
    execFile(process.execPath, argv, options, (error, stdout, stderr) => {
      const assertions = stdout.match(/^ *code: 'ERR_ASSERTION'$/gm)?.length ?? 0
      resolve({ succeeded: error === null, assertions, report: stdout + stderr })
    })
  })
}

describe('fast tests notice', { concurrency: availableParallelism() }, () => {
  test('no fault in the unchanged code', async () => {
    const files = [...new Set(MUTANTS.flatMap(({ tests }) => tests))]
    const { succeeded, report } = await runTests(files)
    assert.ok(succeeded, report)
  })

  for (const { fault, rule, tests } of MUTANTS)
    test(`${fault} (${rule})`, async () => {
      const { succeeded, assertions, report } = await runTests(tests, fault)
      assert.equal(succeeded, false, `it passes all tests of ${tests.join(', ')}`)
      assert.ok(assertions > 0, `it fails without a failed assertion:\n${report}`)
    })
})

test('each mutant changes one place in its file, and names an existing rule and fast tests', () => {
  const { rules } = JSON.parse(readFileSync(join(ROOT, 'docs/spec/rules.json'), 'utf8'))
  const ids = new Set(rules.map(({ id }: { id: string }) => id))
  for (const { fault, rule, file, tests, ...change } of MUTANTS) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    assert.notEqual(mutated(text, change), text, fault)
    assert.ok(ids.has(rule), `${rule} is no rule of docs/spec`)
    for (const name of tests) assert.match(name, /(?<!\.slow)\.test\.ts$/)
  }
  assert.equal(new Set(MUTANTS.map(({ fault }) => fault)).size, MUTANTS.length)
})
