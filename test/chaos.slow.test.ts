import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kill } from '../chaos/kill-imports.ts'

test('killing an import during concurrent writes loses no data and leaves no partial import', async () => {
  const { lost, halfImports, damaged, sameContent } = await kill(4, 2_000)
  assert.deepEqual(
    { lost, halfImports, damaged, sameContent },
    { lost: 0, halfImports: 0, damaged: 0, sameContent: true },
  )
})
