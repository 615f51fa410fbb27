import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { heapOptions } from './heap-options.ts'

test('heapOptions limits the semi-space unless the operator has already limited it', () => {
  assert.deepEqual(heapOptions(), ['--max-semi-space-size=8'])
  assert.deepEqual(heapOptions('--no-warnings', ['--cpu-prof']), ['--max-semi-space-size=8'])
  assert.deepEqual(heapOptions('--max_semi_space_size=16'), [])
  assert.deepEqual(heapOptions('', ['--max-semi-space-size=16']), [])
})

test('this version of Node.js applies the semi-space limit', () => {
  const program = `const kept = []
    for (let count = 0; count < 2e6; count += 1) kept[count % 1e6] = { count }
    console.log(require('node:v8').getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size)`
  const { stdout } = spawnSync(process.execPath, [...heapOptions(), '--eval', program], {
    encoding: 'utf8',
  })
  const size = Number(stdout)
  assert.ok(size > 0 && size <= 2 * 8 * 1024 * 1024, stdout)
})

test('this version of Node.js supports the heap growing flag', () => {
  const program = `import(${JSON.stringify(import.meta.resolve('./heap-options.ts'))}).then((heap) => heap.boundOldGarbage())`
  const { status, stderr } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
})
