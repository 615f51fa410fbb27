/**
 * Runs the named test files one after the other in this process. Each is a suite, so that its hooks are its own. The run
 * fails if a file leaves the process in a changed state, because the next file would be tested in that state.
 */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { changedNames, type ProcessState, processState } from './process-state.ts'

// The test runner installs its own handlers on the first call.
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

/** Returns the differences from a state, after up to 10 s for ending resources to be released. */
async function stillChanged(found: ProcessState): Promise<string[]> {
  const end = Date.now() + 10_000
  while (changedNames(found, processState()).length > 0 && Date.now() < end) await pause(5)
  return changedNames(found, processState())
}
