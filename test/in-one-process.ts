/**
 * Runs the test files that are named, one after the other, in this process. Each is a suite, so that its hooks are its own; and
 * it fails where one leaves the process other than it found it, since the next would be tested in that.
 */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { changedNames, type ProcessState, processState } from './process-state.ts'

// The test runner sets handlers of its own when it is first called.
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

/** What differs from a state, once what was about to end has had 10 s for it. */
async function stillChanged(found: ProcessState): Promise<string[]> {
  const end = Date.now() + 10_000
  while (changedNames(found, processState()).length > 0 && Date.now() < end) await pause(5)
  return changedNames(found, processState())
}
