/** Closed-loop load from `wrk`, which needs less of its core than a Node.js server does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LOAD_CORE, onCores } from './cores.ts'
import type { Sample } from './measure.ts'
import type { Server } from './servers.ts'

/** Path and header fields of the requests of a load, and the number of entities they cycle through. */
export interface Asked {
  /** Path of each request or, with `entities`, the prefix to which the number of an entity is appended. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Number of entities that are requested in turn. */
  readonly entities?: number
}

/** Connections, duration and cores of a load. */
export interface Pressure {
  readonly connections: number
  readonly seconds: number
  /** Cores of the load generator. Default: the core of the load. */
  readonly cores?: string
}

/** Duration passed to `wrk`, longer than any load. A signal ends each load, because `wrk` accepts only whole seconds. */
const LIMIT = '1h'

/** Length of the longest load, in seconds, that a server without an answer gets. */
const MAX_SECONDS = 30

/** Number of answers so far. The next load continues after these entities, with ones that are not cached yet. */
let walked = 0

/**
 * Loads a server. Returns its answers per second and its processor time per answer. A load that ends before the first answer,
 * as a short one may on a busy machine, is repeated for ten times as long.
 * @throws Error if a request failed or was answered with an error
 */
export async function underLoad(server: Server, asked: Asked, pressure: Pressure): Promise<Sample> {
  const before = server.cpuSeconds()
  const { answered, seconds, failed } = await wrk(server.port, asked, pressure)
  const cpuSeconds = server.cpuSeconds() - before
  walked += answered
  const longer = pressure.seconds * 10
  if (answered + failed === 0 && longer <= MAX_SECONDS)
    return await underLoad(server, asked, { ...pressure, seconds: longer })
  if (failed > 0 || answered === 0) throw new Error(`${server.name}: ${answered} answers, ${failed} failures`)
  return { perSecond: answered / seconds, cpuMicros: (cpuSeconds * 1e6) / answered }
}

interface Outcome {
  readonly answered: number
  readonly seconds: number
  readonly failed: number
}

async function wrk(
  port: number,
  { path, headers = {}, entities }: Asked,
  { connections, seconds, cores = LOAD_CORE }: Pressure,
): Promise<Outcome> {
  const fields = Object.entries({ Accept: 'application/json', ...headers })
  const url = `http://127.0.0.1:${port}${path}`
  const [program, args] = onCores(cores, [
    'wrk',
    ...['--threads', '1', '--connections', String(connections), '--duration', LIMIT, '--timeout', '30s'],
    ...fields.flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...['--script', join(import.meta.dirname, 'wrk.lua'), url],
    ...(entities === undefined ? [] : ['--', path, String(entities), String(walked % entities)]),
  ])
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), seconds * 1_000))
  const said = text(child.stdout).catch(() => '')
  await once(child, 'close').catch(() => {})
  const outcome = (await said).trim().split('\n').at(-1) ?? ''
  if (!outcome.startsWith('{')) throw new Error('wrk gave no result. Is it installed? `apt-get install wrk`')
  return JSON.parse(outcome)
}
