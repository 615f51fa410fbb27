/**
 * Runs the test files given as arguments one after another in this process. Each file is a suite, so that its hooks apply
 * to it alone. The run fails if a file changes the state of the process for good, as that would affect the next file.
 */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { changedNames, type ProcessState, processState } from './process-state.ts'

// On the first call, the test runner installs handlers, which no file must be blamed for.
before(() => {})
const left: string[] = []
for (const file of process.argv.slice(2)) {
  const found = processState()
  await describe(file, () => import(pathToFileURL(resolve(file)).href))
  for (const name of await stillChanged(found)) left.push(`${file}: ${name}`)
}

test('no file leaves anything changed or running in the process that it shares', () => {
  assert.deepEqual(left, [])
})

/** Returns the names of the state that differs from `found`, after up to 10 s for resources to be released. */
async function stillChanged(found: ProcessState): Promise<string[]> {
  const end = Date.now() + 10_000
  while (changedNames(found, processState()).length > 0 && Date.now() < end) await pause(5)
  return changedNames(found, processState())
}
