import type { TestContext } from 'node:test'

/** Makes each reading of the clock take a millisecond, which counts as processor time. */
export function slowClock(t: TestContext): void {
  let now = 0
  t.mock.method(performance, 'now', () => now++)
  t.mock.method(process, 'threadCpuUsage', () => ({ user: now * 1_000, system: 0 }))
}
