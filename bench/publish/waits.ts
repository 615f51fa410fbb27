/** Writes an entity every few milliseconds into a store under load until stdin ends, and reports the delays. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreFault } from '@worldwright/core/store'
import { openStore } from '@worldwright/engines'

const store = await openStore(`sqlite:${process.argv[2] ?? ''}`, { role: 'writer' })
const waits: number[] = []
let busy = 0
let stopped = false
process.stdin.on('end', () => {
  stopped = true
})
process.stdin.resume()
for (let number = 0; !stopped; number++) {
  const start = performance.now()
  try {
    await store.write([{ put: { type: 'waits:write', id: `w${number}`, attributes: { number } } }])
  } catch (error) {
    if (!(error instanceof StoreFault && error.code === 'busy')) throw error
    busy += 1
  }
  waits.push(performance.now() - start)
  await pause(5)
}
await store.close()
waits.sort((a, b) => a - b)
const at = (part: number) => Math.round(waits[Math.floor(part * (waits.length - 1))] ?? 0)
process.stdout.write(
  `${JSON.stringify({ writes: waits.length, busy, p50: at(0.5), p99: at(0.99), maxMs: at(1) })}\n`,
)
