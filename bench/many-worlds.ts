/**
 * Measures a search of 200 worlds, of which 20 are slow, broken, endless or hostile, against one of the 180 good ones alone:
 * `node --conditions=@worldwright/source bench/many-worlds.ts [ROUNDS]`, with
 * `--expose-gc` before it for steadier times. The worlds run in another process, on sockets of this
 * machine, and the good ones send the bytes of the demo world. Bars: 1.2 times the requests and the processor time, and 300 MB.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAll } from '@worldwright/client/many'
import { serve } from '../test/command.ts'
import { type ManyWorlds, mixed, sampleOf } from '../test/many-worlds.ts'
import { peakOf, ROOT } from './measured-loads.ts'

/** Maximum cost of 200 worlds, as a multiple of that of the good ones, and maximum memory in MB. */
const BAR = 1.2
const MAX_MB = 300
/** Interval between memory samples, in milliseconds. */
const SAMPLE_MS = 20
const TEXT = 'moon'

/** Searches all worlds with new connections, and returns the requests and the times, in milliseconds. */
async function searched(origins: readonly string[]) {
  let requests = 0
  const counting = (url: string, init: RequestInit) => {
    requests++
    return fetch(url, init)
  }
  globalThis.gc?.()
  const begun = performance.now()
  const before = process.cpuUsage()
  const { missing } = await connectAll(origins, { fetch: counting }).discover({ text: TEXT }).merged()
  const { user, system } = process.cpuUsage(before)
  return { requests, missing: missing.length, cpu: (user + system) / 1000, ms: performance.now() - begun }
}

/** Runs `world discover --in` over all worlds, and returns its peak memory in MB. */
async function commandMemory(origins: readonly string[], folder: string): Promise<number> {
  const file = join(folder, 'worlds.txt')
  writeFileSync(file, origins.join('\n'))
  const argv = ['packages/cli/src/main.ts', 'discover', '--in', file, TEXT]
  const child = spawn(process.execPath, ['--conditions=@worldwright/source', ...argv], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, peakOf(child.pid) ?? 0)
  }, SAMPLE_MS)
  await once(child, 'exit')
  clearInterval(timer)
  return most
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

async function measure(child: ChildProcess, origin: string, folder: string, rounds: number): Promise<void> {
  child.send({ sample: await sampleOf(origin, TEXT), count: 180 })
  const [worlds] = (await once(child, 'message')) as [ManyWorlds]
  const all = mixed(worlds)
  await searched(all)
  const memory = [process.resourceUsage().maxRSS / 1024, await commandMemory(all, folder)]
  for (const origins of [worlds.good, all, worlds.good, all]) await searched(origins)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [good, bad] = [await searched(worlds.good), await searched(all)]
    ratios.push(bad.cpu / good.cpu)
    const isDear = bad.requests > BAR * good.requests
    if (isDear) process.exitCode = 1
    say(
      `180 worlds: ${good.requests} requests, ${good.cpu.toFixed(0)} ms of processor time, ${good.ms.toFixed(0)} ms; ` +
        `200 worlds: ${bad.requests}, ${bad.cpu.toFixed(0)} ms, ${bad.ms.toFixed(0)} ms, ${bad.missing} missing`,
    )
  }
  say(`processor time of 200 worlds: ${middle(ratios).toFixed(2)} times that of 180 (bar: ${BAR})`)
  say(`peak memory: ${memory.map((mb) => `${mb.toFixed(0)} MB`).join(' here, and of world discover --in ')}`)
  if (middle(ratios) > BAR || Math.max(...memory) > MAX_MB) process.exitCode = 1
}

const ends: (() => unknown)[] = []
const folder = mkdtempSync(join(tmpdir(), 'worldwright-many-'))
const child = fork(join(ROOT, 'test/many-worlds.ts'))
try {
  const lifetime = { after: (end: () => Promise<void>) => ends.push(end) }
  const { origin } = await serve(
    lifetime,
    'examples/solar-system',
    '--store',
    `sqlite:${join(folder, 'sol.db')}`,
  )
  await measure(child, origin, folder, Number(process.argv[2] ?? 5))
} finally {
  child.disconnect()
  for (const end of ends) await end()
  rmSync(folder, { recursive: true })
}
