/** Effect of the size of a world on cached answers: the same 500 entities in a small and in a large world. */
import { SERVER_CORE } from './cores.ts'
import { benchStore, HOT, MANY, QUICK_MANY } from './data.ts'
import { compared, type Effort, inTurns } from './measure.ts'
import { type Server, startWorld } from './servers.ts'
import type { Line } from './table.ts'
import { underLoad } from './wrk.ts'

const FEW = 588
const CONNECTIONS = 32
/** Maximum ratio of processor time, large world to small world. */
const MOST = 1.05

/** Compares the processor time per answer in a large and a small world. */
export async function hotEntities(effort: Effort, quick: boolean): Promise<Line[]> {
  const many = quick ? QUICK_MANY : MANY
  const started: Server[] = []
  const start = async (count: number) => {
    const flags = ['--workers', '1']
    const server = await startWorld(`${count} entities`, await benchStore(count), SERVER_CORE, flags)
    started.push(server)
    return server
  }
  try {
    const large = await start(many)
    const small = await start(FEW)
    const pressure = { connections: CONNECTIONS, seconds: effort.seconds }
    const samples = await inTurns([large, small], (server) => underLoad(server, HOT, pressure), effort.rounds)
    const { cost, perSecond, micros } = compared(samples, small, large)
    return [
      {
        question: `the same ${HOT.entities} entities, within ${many} against within ${FEW}`,
        bar: `≤ ${MOST}`,
        value: cost,
        met: cost.median <= MOST,
        perSecond: [perSecond[1], perSecond[0]],
        micros: [micros[1], micros[0]],
      },
    ]
  } finally {
    await Promise.all(started.map((server) => server.stop()))
  }
}
