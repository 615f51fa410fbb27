/**
 * Kills the primary, a worker or the replica of a world under 200 writes per second, while 50 programs follow it, half of
 * them at the replica. All followers must end with the final state, and none may receive a change that was never written.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Effort, type Finding, finding } from './fault.ts'
import { type Follower, follow } from './followers.ts'
import { type ServedWorld, serveWorld, waitedFor, writeToken } from './served-world.ts'
import { SteadyWriters } from './steady-writers.ts'

const FOLLOWERS = 50
const WRITES_PER_SECOND = 200
/** Maximum delay from the acknowledgement of a write to its event, once the kills are over, in milliseconds. */
const EVENT_MS = 100
/** Duration of the delay measurement, in milliseconds. */
const CALM_MS = 30_000
const SETTLED_MS = 60_000

type Victim = 'primary' | 'worker' | 'replica'
const VICTIMS: readonly Victim[] = ['worker', 'replica', 'primary']

/** Runs the fault for 5 minutes. A short run has 3 kills, 10 followers and a quarter of the writes. */
export async function killFollowed({ short }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-followed-'))
  const trial = new Trial(folder, short)
  try {
    return await trial.run()
  } finally {
    await trial.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

class Trial {
  readonly #store: string
  readonly #replicaStore: string
  readonly #short: boolean
  readonly #kills: Victim[] = []
  #upstream: ServedWorld | undefined
  #replica: ServedWorld | undefined
  #writers: SteadyWriters | undefined
  #followers: Follower[] = []

  constructor(folder: string, short: boolean) {
    this.#store = join(folder, 'world.db')
    this.#replicaStore = join(folder, 'copy.db')
    this.#short = short
  }

  async run(): Promise<Finding> {
    const token = await writeToken(this.#store)
    const upstream = await serveWorld(this.#store)
    this.#upstream = upstream
    const replica = await serveWorld(this.#replicaStore, { workers: 1, follow: upstream.url })
    this.#replica = replica
    const perSecond = this.#short ? WRITES_PER_SECOND / 4 : WRITES_PER_SECOND
    const writers = new SteadyWriters(() => upstream.url, token, perSecond)
    this.#writers = writers
    const count = this.#short ? 10 : FOLLOWERS
    this.#followers = await Promise.all(
      Array.from({ length: count }, (_, at) => follow(at % 2 ? replica.url : upstream.url, writers)),
    )
    await this.#kill(this.#short ? 3 : Number.POSITIVE_INFINITY, Date.now() + 300_000)
    const calmFrom = await this.#calm()
    await writers.stop()
    return this.#judge(writers, calmFrom)
  }

  async end(): Promise<void> {
    for (const follower of this.#followers) await follower.stop()
    await this.#writers?.stop()
    await this.#replica?.stop()
    await this.#upstream?.stop()
  }

  async #kill(most: number, until: number): Promise<void> {
    for (let round = 0; round < most && Date.now() < until; round++) {
      await pause(1_000 + Math.random() * 4_000)
      const victim = VICTIMS[this.#short ? round : Math.floor(Math.random() * VICTIMS.length)] as Victim
      const world = victim === 'replica' ? this.#replica : this.#upstream
      if (!world) throw new Error('There is nothing to kill.')
      let pid: number | undefined
      await waitedFor(() => {
        pid = world.pids(victim === 'worker' ? 'worker' : 'primary')[0]
        return pid !== undefined
      }, 20_000)
      if (pid === undefined) throw new Error(`There is no ${victim} to kill:\n${world.said()}`)
      process.kill(pid, 'SIGKILL')
      this.#kills.push(victim)
      if (victim === 'worker') continue
      await world.gone()
      const { port } = world
      if (victim === 'primary') this.#upstream = await serveWorld(this.#store, { port })
      else
        this.#replica = await serveWorld(this.#replicaStore, {
          port,
          workers: 1,
          follow: this.#upstream?.url ?? '',
        })
    }
  }

  /** Waits until all followers receive current writes, then measures for a while. Returns the start of the measurement. */
  async #calm(): Promise<number> {
    const killsEnded = performance.now()
    const hears = ({ delays }: Follower) => {
      const { at, ms } = delays.at(-1) ?? { at: 0, ms: 0 }
      return at - ms >= killsEnded
    }
    await waitedFor(() => this.#followers.every(hears), SETTLED_MS)
    const from = performance.now()
    await pause(this.#short ? CALM_MS / 10 : CALM_MS)
    return from
  }

  async #judge(writers: SteadyWriters, calmFrom: number): Promise<Finding> {
    const truth = await writers.state()
    const isThere = (follower: Follower) => follower.differences(truth) === 0
    await waitedFor(() => this.#followers.every(isThere), SETTLED_MS)
    const gaps = this.#followers.reduce((sum, follower) => sum + follower.differences(truth), 0)
    const invented = this.#followers.reduce((sum, { invented }) => sum + invented, 0)
    const delays = this.#followers.flatMap(({ delays }) => delays)
    const calm = ({ delays }: Follower) => delays.filter(({ at, ms }) => at - ms >= calmFrom)
    const [atUpstream, atReplica] = [0, 1].map((half) =>
      percentile(this.#followers.filter((_, at) => at % 2 === half).flatMap(calm), 0.99),
    ) as [number, number]
    const p99 = Math.max(atUpstream, atReplica)
    const of = (one: Victim) => this.#kills.filter((victim) => victim === one).length
    return finding(
      `${this.#followers.length} followers, ${writers.acknowledged} writes, kills: ${of('primary')} of the upstream, ${of('worker')} of workers, ${of('replica')} of the replica; ` +
        `from acknowledgement to event p99 ${atUpstream} ms at the upstream and ${atReplica} ms at the replica once they were over, ${percentile(delays, 0.99)} ms in all`,
      {
        gaps,
        invented,
        'followers that ended': this.#followers.filter(({ failure }) => failure !== undefined).length,
        // In a short run, other work may share the machine.
        [`p99 above ${EVENT_MS} ms`]: !this.#short && p99 > EVENT_MS ? 1 : 0,
      },
    )
  }
}

function percentile(delays: Follower['delays'], part: number): number {
  const sorted = delays.map(({ ms }) => ms).sort((one, other) => one - other)
  return Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)
}
