/** Simulates a client that sends few requests while other clients overload the world. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, Clients } from './clients.ts'
import type { Seen, Watch } from './load-process.ts'
import { workedMs } from './processes.ts'

/** Sampling interval of processor times, in milliseconds. Each sample reads many files on a core that the load needs. */
const SAMPLE_MS = 50

/** One response, with the times of request and response from `performance.now()`. */
interface Asked {
  readonly answer: Answer
  readonly from: number
  readonly to: number
}

/** Sends each watch's request repeatedly until stopped. All watches must observe the same processes. */
export function watchAll(watches: Readonly<Record<string, Watch>>) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let going = true
  const work = new WorkSamples(Object.values(watches)[0]?.pids ?? [])
  const watching = Object.entries(watches).map(async ([name, { port, address, ask, everyMs }]) => {
    const clients = new Clients(port, address, 0)
    const asked: Promise<Asked>[] = []
    const once = async () => {
      const from = performance.now()
      const answer = await clients.ask(ask)
      return { answer, from, to: performance.now() }
    }
    while (going) {
      asked.push(once())
      await pause(everyMs)
    }
    return [name, await Promise.all(asked)] as const
  })
  return {
    async stop(): Promise<Record<string, Seen>> {
      going = false
      const all = await Promise.all(watching)
      work.stop()
      delay.disable()
      const lagMs = delay.max / 1e6
      return Object.fromEntries(
        all.map(([name, asked]) => {
          const answers = asked.map(({ answer }) => answer)
          return [name, { answers, worked: asked.map(({ from, to }) => work.between(from, to)), lagMs }]
        }),
      )
    },
  }
}

/** Samples the processor time of a set of processes. */
class WorkSamples {
  readonly #samples: { readonly at: number; readonly worked: number }[] = []
  readonly #sample: () => void
  readonly #timer: NodeJS.Timeout

  constructor(pids: readonly number[]) {
    this.#sample = () => this.#samples.push({ at: performance.now(), worked: workedMs(pids) })
    this.#sample()
    this.#timer = setInterval(this.#sample, SAMPLE_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#sample()
  }

  /** Returns the processor time used between two moments, interpolated between samples, in milliseconds. */
  between(from: number, to: number): number {
    return this.#until(to) - this.#until(from)
  }

  #until(moment: number): number {
    const after = this.#samples.findIndex(({ at }) => at >= moment)
    const next = this.#samples.at(after)
    const last = this.#samples[after - 1]
    if (!next || !last) return next?.worked ?? 0
    return last.worked + ((next.worked - last.worked) * (moment - last.at)) / (next.at - last.at)
  }
}
