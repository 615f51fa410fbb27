/** Start-up time of `world serve` from spawn to first answer, with a large and a small store. */
import { SERVER_CORES } from './cores.ts'
import { benchStore, ENTITIES, idOf, LIST, MANY, QUICK_MANY } from './data.ts'
import { type Effort, spreadOf } from './measure.ts'
import { startWorld } from './servers.ts'
import type { Line } from './table.ts'

const ENTITY = `${LIST}/${idOf(4_321)}`

/**
 * Measures the start-up time in milliseconds, and the ratio of large to small. The warm-up round fills the page cache and
 * the compile cache of Node.js (`enableCompileCache`), so this is a restart of a world, not its first start on a machine.
 */
export async function start({ rounds }: Effort, quick: boolean): Promise<Line[]> {
  const small = await benchStore(ENTITIES)
  const large = await benchStore(quick ? QUICK_MANY : MANY)
  const times: number[] = []
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const short = await firstAnswer(small)
    const long = await firstAnswer(large)
    if (round === 0) continue
    times.push(long)
    ratios.push(long / short)
  }
  const value = spreadOf(times)
  return [
    {
      question: 'world serve over 1.2 M, from spawn to first answer, ms',
      bar: '≤ 500',
      value,
      met: value.median <= 500,
    },
    { question: 'the same, 1.2 M against 10,000', bar: '', value: spreadOf(ratios) },
  ]
}

/** Returns the milliseconds from spawn to first answer, including the time until the command prints its address. */
async function firstAnswer(store: string): Promise<number> {
  const spawned = performance.now()
  const server = await startWorld('world serve', store, SERVER_CORES, [])
  try {
    const response = await fetch(`http://127.0.0.1:${server.port}${ENTITY}`)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`the first answer was ${response.status}`)
    return performance.now() - spawned
  } finally {
    await server.stop()
  }
}
