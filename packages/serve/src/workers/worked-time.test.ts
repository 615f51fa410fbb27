import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { timed } from './worked-time.ts'

function workFor(ms: number): string {
  for (const end = performance.now() + ms; performance.now() < end; );
  return 'done'
}

test('work is timed, and its result or its failure is passed on', async () => {
  const { result, workedMs } = await timed(() => workFor(5))
  assert.equal(result, 'done')
  assert.ok(workedMs > 0)
  await assert.rejects(
    timed(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
})

test('time in which other processes ran does not count', async (t) => {
  if (!existsSync('/proc/self/schedstat'))
    return t.skip('not run: this system does not say who waited for a core')
  const burn = ['-e', 'process.stdout.write("on"); for (;;);']
  const others = Array.from({ length: 4 * availableParallelism() }, () => spawn(process.execPath, burn))
  t.after(() => others.map((other) => other.kill('SIGKILL')))
  await Promise.all(others.map(({ stdout }) => once(stdout, 'data')))
  const { workedMs } = await timed(() => workFor(300))
  assert.ok(workedMs < 200, `${workedMs} of 300 ms`)
})
