/** Resident memory of every process of `world serve` on a large world, under a typical mix of requests. */
import { SERVER_CORES } from './cores.ts'
import { benchStore, MANY, QUICK_MANY } from './data.ts'
import { type Effort, load, spreadOf } from './measure.ts'
import { mixOf } from './mixed.ts'
import { startWorld, WORKERS_READY } from './servers.ts'
import type { Line } from './table.ts'

/** Processes that run the same program. */
interface Role {
  readonly program: string
  readonly name: string
  /** Maximum megabytes per process. Absent if there is no limit. */
  readonly most?: number
}

const SEARCH: Role = { program: 'search-worker', name: 'the search process', most: 300 }
const ONE: readonly Role[] = [{ program: 'main', name: 'the one that answers', most: 200 }, SEARCH]
const TWO: readonly Role[] = [
  { program: 'main', name: 'the primary' },
  { program: 'worker-program', name: 'the larger worker', most: 200 },
  SEARCH,
]

/** Number of requests, enough to fill the caches of prepared answers with distinct ones. */
const REQUESTS = 20_000
const QUICK_REQUESTS = 200
const PER_SECOND = 500

/** Measures resident megabytes after each round, without workers and with two. The bar applies to the maximum. */
export async function memory(effort: Effort, quick: boolean): Promise<Line[]> {
  return [
    ...(await resident('1 worker', ['--workers', '1'], ONE, undefined, effort, quick)),
    ...(await resident('2 workers', ['--workers', '2'], TWO, WORKERS_READY, effort, quick)),
  ]
}

async function resident(
  name: string,
  flags: readonly string[],
  roles: readonly Role[],
  ready: RegExp | undefined,
  { rounds, seconds }: Effort,
  quick: boolean,
): Promise<Line[]> {
  const entities = quick ? QUICK_MANY : MANY
  const server = await startWorld(name, await benchStore(entities), SERVER_CORES, flags, ready)
  try {
    const requests = await mixOf(server, entities, quick ? QUICK_REQUESTS : REQUESTS)
    const found = new Map<Role, number[]>(roles.map((role) => [role, []]))
    for (let round = 0; round < rounds; round += 1) {
      // Each round continues where the previous one stopped, so that all requests are sent.
      const from = Math.floor((requests.length / rounds) * round)
      const turned = [...requests.slice(from), ...requests.slice(0, from)]
      const plan = { requests: turned, perSecond: PER_SECOND, seconds: 2 * seconds, connections: 32 }
      const result = await load({ ...plan, port: server.port })
      if (result.lost > 0) throw new Error(`${name}: ${result.lost} of the requests had no answer`)
      const processes = server.processes()
      for (const [role, megabytes] of found) {
        const sizes = processes
          .filter(({ program }) => program === role.program)
          .map((process) => process.resident)
        if (sizes.length === 0) throw new Error(`${name}: ${role.name} is not running`)
        megabytes.push(Math.max(...sizes) / 1e6)
      }
    }
    return roles.map((role) => lineOf(name, role, found.get(role) ?? []))
  } finally {
    await server.stop()
  }
}

function lineOf(name: string, { name: who, most }: Role, megabytes: readonly number[]): Line {
  const value = spreadOf(megabytes)
  const question = `resident serving 1.2 M, ${name}: ${who}, MB`
  return most === undefined
    ? { question, bar: '', value }
    : { question, bar: `≤ ${most}`, value, met: value.max <= most }
}
