/**
 * Search process for tests. The query text controls it: `work 20` uses 20 ms of CPU time, `hang` hangs, `die` exits, and
 * `instant` reports a work time of zero.
 */
import { appendFileSync } from 'node:fs'
import type { Query } from '../../../core/src/store/contract.ts'
import { answerCalls, type Channel } from './rpc.ts'
import { timed } from './worked-time.ts'

const [journal = ''] = process.argv.slice(2)
answerCalls(process as Channel, {
  async find({ text = '' }: Query) {
    const [what, ms = '0'] = text.split(' ')
    const { result, workedMs } = await timed(() => {
      appendFileSync(journal, `${text}\n`)
      if (what === 'die') process.kill(process.pid, 'SIGKILL')
      for (const begun = process.cpuUsage(); worked(begun) < Number(ms) || what === 'hang'; );
      return { hits: [], total: 1, counts: {}, totalIsLowerBound: false, partial: false, matched: [] }
    })
    return { result, workedMs: what === 'instant' ? 0 : workedMs }
  },
})
process.send?.('ready')
process.once('disconnect', () => process.exit())

/** Returns the CPU time of this process since `begun`, in milliseconds. */
function worked(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}
