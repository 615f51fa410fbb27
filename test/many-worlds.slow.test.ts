import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectAll, type Merged } from '@worldwright/client/many'
import { serve } from './command.ts'
import { type ManyWorlds, mixed, sampleOf } from './many-worlds.ts'
import { ROOT } from './source-files.ts'

/** Maximum numbers of requests and of bytes for 180 good worlds and 20 bad ones, as multiples of those for the good ones. */
const MAX_REQUESTS = 1.2
const MAX_BYTES = 1.25
const TIMEOUT = 5000

/** Asks all worlds, and counts the requests and the bytes of the bodies that were read. */
async function counted(origins: readonly string[], text: string) {
  const cost = { requests: 0, bytes: 0 }
  const counting = async (url: string, init: RequestInit) => {
    cost.requests++
    const response = await fetch(url, init)
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        cost.bytes += chunk.length
        controller.enqueue(chunk)
      },
    })
    const body = response.body?.pipeThrough(count) ?? null
    return Object.defineProperty(new Response(body, response), 'url', { value: url })
  }
  const begun = performance.now()
  const merged: Merged = await connectAll(origins, { fetch: counting, timeout: TIMEOUT })
    .discover({ text })
    .merged()
  return { ...cost, merged, ms: performance.now() - begun }
}

test('200 worlds of which 20 are bad answer in time, and cost little more than 180', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = `sqlite:${join(folder, 'sol.db')}`
  const { origin } = await serve(t, 'examples/solar-system', '--store', store)
  const text = 'moon'
  const sample = await sampleOf(origin, text)
  const child = fork(join(ROOT, 'test/many-worlds.ts'))
  t.after(() => child.disconnect())
  child.send({ sample, count: 180 })
  const [worlds] = (await once(child, 'message')) as [ManyWorlds]
  const good = await counted(worlds.good, text)
  assert.equal(good.merged.missing.length, 0)
  const all = await counted(mixed(worlds), text)
  const states = new Map(all.merged.worlds.map(({ origin, state }) => [origin, state]))
  for (const { name, state, origin } of worlds.bad) assert.equal(states.get(origin), state, name)
  for (const origin of worlds.good) assert.equal(states.get(origin), 'answered')
  assert.equal(
    all.merged.missing.length,
    worlds.bad.filter(({ state }) => !/answered|partial|same/.test(state)).length,
  )
  assert.equal(all.merged.hits.length, 20)
  t.diagnostic(
    `${good.requests} requests and ${good.bytes} bytes; with 20 bad worlds ${all.requests} and ${all.bytes}`,
  )
  t.diagnostic(`${good.ms.toFixed(0)} ms; with 20 bad worlds ${all.ms.toFixed(0)} ms`)
  assert.ok(all.requests <= MAX_REQUESTS * good.requests)
  assert.ok(all.bytes <= MAX_BYTES * good.bytes)
  // Silent worlds hold 16 places for a second, perhaps twice. The rest is for the good worlds.
  assert.ok(all.ms < TIMEOUT + 2000 + 2 * good.ms, `${all.ms}`)
})
