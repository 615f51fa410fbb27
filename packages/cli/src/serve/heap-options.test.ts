import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { youngSpaceOptions } from './heap-options.ts'

test('a worker gets a bound for young objects, as long as its operator sets none', () => {
  assert.deepEqual(youngSpaceOptions(), ['--max-semi-space-size=8'])
  assert.deepEqual(youngSpaceOptions('--no-warnings', ['--cpu-prof']), ['--max-semi-space-size=8'])
  assert.deepEqual(youngSpaceOptions('--max_semi_space_size=16'), [])
  assert.deepEqual(youngSpaceOptions('', ['--max-semi-space-size=16']), [])
})

test('this Node knows the option, and keeps to it', () => {
  const program = `const kept = []
    for (let count = 0; count < 2e6; count += 1) kept[count % 1e6] = { count }
    console.log(require('node:v8').getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)`
  const { stdout } = spawnSync(process.execPath, [...youngSpaceOptions(), '--eval', program], {
    encoding: 'utf8',
  })
  const size = Number(stdout)
  assert.ok(size > 0 && size <= 2 * 8 * 1024 * 1024, stdout)
})
