import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { afterWorking, timed } from './worked-time.ts'

function workFor(ms: number): string {
  for (const end = performance.now() + ms; performance.now() < end; );
  return 'done'
}

test('timed returns the result or the error of the work', async () => {
  const { result, workedMs } = await timed(() => workFor(5))
  assert.equal(result, 'done')
  assert.ok(workedMs > 0)
  await assert.rejects(
    timed(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
})

test('the work time excludes time used by other processes', async (t) => {
  if (!existsSync('/proc/self/schedstat')) return t.skip('not run: this machine has no /proc/self/schedstat')
  const burn = ['-e', 'process.stdout.write("on"); for (;;);']
  const others = Array.from({ length: 4 * availableParallelism() }, () => spawn(process.execPath, burn))
  t.after(() => others.map((other) => other.kill('SIGKILL')))
  await Promise.all(others.map(({ stdout }) => once(stdout, 'data')))
  const { workedMs } = await timed(() => workFor(300))
  assert.ok(workedMs < 200, `${workedMs} of 300 ms`)
})

test('time that a process waits for a core is added to its limit', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let [now, late] = [0, 0]
  // Each timer fires 5 ms late. Of each millisecond, the process waits for 0.6 ms.
  const tick = (ms: number) => {
    for (let count = 0; count < ms; count += 5) {
      now += 5
      t.mock.timers.tick(5)
    }
  }
  const start = () =>
    afterWorking(
      { ms: () => 0.6 * now },
      100,
      () => (late += 1),
      () => now,
    )
  start()
  tick(240)
  assert.equal(late, 0)
  tick(20)
  assert.equal(late, 1)
  start()()
  tick(1_000)
  assert.equal(late, 1)
})
