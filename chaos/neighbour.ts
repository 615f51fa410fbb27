/** Somebody who asks for little while others ask for too much. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, Clients } from './clients.ts'
import type { Seen, Watch } from './load-process.ts'
import { workedMs } from './processes.ts'

/** Asks for each of several things again and again, until it is stopped. */
export function watchAll(watches: Readonly<Record<string, Watch>>) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let going = true
  const watching = Object.entries(watches).map(async ([name, { port, address, ask, everyMs, pids }]) => {
    const clients = new Clients(port, address, 0)
    const asked: Promise<{ readonly answer: Answer; readonly worked: number }>[] = []
    const once = async () => {
      const before = workedMs(pids)
      const answer = await clients.ask(ask)
      return { answer, worked: workedMs(pids) - before }
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
      delay.disable()
      const lagMs = delay.max / 1e6
      return Object.fromEntries(
        all.map(([name, asked]) => {
          const answers = asked.map(({ answer }) => answer)
          return [name, { answers, worked: asked.map(({ worked }) => worked), lagMs }]
        }),
      )
    },
  }
}
