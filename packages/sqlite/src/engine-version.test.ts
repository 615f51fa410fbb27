import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSafeVersion, refuseUnsafeEngine } from './engine-version.ts'

test('SQLite 3.7.0 to 3.51.2 are unsafe, and this runtime has a safe version', () => {
  for (const version of ['3.7.0', '3.7', '3.8.11', '3.45.1', '3.51.0', '3.51.2']) {
    assert.equal(isSafeVersion(version), false, version)
  }
  for (const version of ['3.6.23', '3.51.3', '3.52.0', '3.53.4', '4.0.0'])
    assert.equal(isSafeVersion(version), true, version)
  assert.throws(() => refuseUnsafeEngine('3.45.1'), { name: 'StoreFault', code: 'unsafe_engine' })
  refuseUnsafeEngine()
})
