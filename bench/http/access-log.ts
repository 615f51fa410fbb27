/** What the record of a request costs: `world serve` with an access log and without one. */
import { benchStore, idOf, TYPE } from './data.ts'
import { type Effort, microsOf, ratio, rounds, SERVER_CORES } from './measure.ts'
import { ENTITIES, type Line, requestText } from './per-request.ts'
import { startWorld, WORKERS_READY } from './servers.ts'

const ENTITY = `/api/world/v0/entities/${encodeURIComponent(TYPE)}/${idOf(4_321)}`
const CONNECTIONS = 16
const PER_SECOND = 3_000

/** Processor time per request for an entity from the cache, of all processes together, answered by one and by two workers. */
export async function accessLog(effort: Effort): Promise<Line[]> {
  const store = await benchStore(ENTITIES)
  const lines: Line[] = []
  for (const workers of ['1', '2']) {
    const ready = workers === '1' ? undefined : WORKERS_READY
    const flags = ['--workers', workers]
    const quiet = await startWorld('no access log', store, SERVER_CORES, flags, ready)
    const logged = await startWorld('access log', store, SERVER_CORES, [...flags, '--access-log'], ready)
    try {
      const plan = { requests: [requestText(ENTITY, {})], perSecond: PER_SECOND, connections: CONNECTIONS }
      const samples = await rounds([quiet, logged], () => plan, '200', effort)
      lines.push({
        question: `entity with an access log, against none, ${workers} worker(s)`,
        bar: '≥ 0.6',
        value: ratio(samples, logged, quiet),
        met: ratio(samples, logged, quiet).median >= 0.6,
        micros: [microsOf(samples, logged), microsOf(samples, quiet)],
      })
    } finally {
      await Promise.all([quiet.stop(), logged.stop()])
    }
  }
  return lines
}
