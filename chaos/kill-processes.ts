/**
 * Kills the primary, a worker or the searcher of a served world under eight writers. No acknowledged write may be lost, each
 * write must be found by its unique word, and the world must soon be ready again.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { storeAt } from '@worldwright/engines'
import { AcknowledgedWriters, wordOf } from './acknowledged-writers.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import {
  type Part,
  readThing,
  type ServedWorld,
  serveWorld,
  TYPE,
  waitedFor,
  writeToken,
} from './served-world.ts'

const READY_MS = 1_500
const PARTS: readonly Part[] = ['primary', 'worker', 'searcher']

/** Runs the fault with 200 kills, or 6 in a short run. */
export async function killProcesses({ short }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-kills-'))
  try {
    return await run(join(folder, 'world.db'), short)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(store: string, short: boolean): Promise<Finding> {
  const kills = short ? 6 : 200
  const token = await writeToken(store)
  let world = await serveWorld(store)
  const writers = new AcknowledgedWriters(() => world.url, token)
  const ready: number[] = []
  try {
    for (let round = 0; round < kills; round++) {
      await pause(100 + Math.random() * 400)
      const part = PARTS[round % PARTS.length] as Part
      const { port } = world
      let pid: number | undefined
      await waitedFor(async () => {
        if (part === 'searcher') await found(world.url, 'anything')
        pid = world.pids(part)[0]
        return pid !== undefined
      }, 20_000)
      if (pid === undefined) throw new Error(`There is no ${part} to kill:\n${world.said()}`)
      process.kill(pid, 'SIGKILL')
      const began = performance.now()
      if (part === 'primary') {
        await world.gone()
        world = await serveWorld(store, { port })
      }
      if ((await waitedFor(() => answers(world), 20_000)) === undefined)
        throw new Error(`Not ready again after the ${part} was killed:\n${world.said()}`)
      ready.push(performance.now() - began)
    }
    await pause(200)
    const acknowledged = await writers.stop()
    let lost = 0
    let unfound = 0
    for (const id of acknowledged) {
      if ((await readThing(world.url, id)).status !== 200) lost += 1
      if (!(await found(world.url, wordOf(id))).includes(id)) unfound += 1
    }
    await world.stop()
    const verdict = await (await storeAt(`sqlite:${store}`)).verifySearchIndex()
    // In a short run, other work may share the machine.
    const slow = short ? 0 : ready.filter((ms) => ms > READY_MS).length
    const longest = Math.max(...ready).toFixed(0)
    return finding(
      `${kills} kills of the primary, worker and searcher, ${acknowledged.length} acknowledged writes, ready again in ${longest} ms at most`,
      {
        lost,
        'not found': unfound,
        'indexes that disagree': verdict.agrees ? 0 : 1,
        [`times slower than ${READY_MS} ms`]: slow,
      },
    )
  } finally {
    await writers.stop()
    await world.stop()
  }
}

async function found(url: string, text: string): Promise<string[]> {
  const response = await fetch(`${url}/api/world/v0/actions/${encodeURIComponent('wp:discover')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { text, types: [TYPE], limit: 5 } }),
  }).catch(() => undefined)
  if (response?.status !== 200) return []
  const { output } = (await response.json()) as { output: { entities: { id: string }[] } }
  return output.entities.map(({ id }) => id)
}

/** Reports whether the world is ready to answer a read. */
async function answers({ url }: ServedWorld): Promise<boolean> {
  return (await readThing(url, 'first')).status === 200
}
