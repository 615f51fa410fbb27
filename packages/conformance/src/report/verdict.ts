/** Verdict on a run, as published. It rests on outcomes alone: a failure that a baseline expects is a failure. */
import { type Judged, summarise } from '../check/baseline.ts'
import type { Subject } from './reporter.ts'

/** Verdict in one word, and in numbers. `incomplete`: nothing failed, but something was not asked. */
export interface Verdict {
  readonly state: 'passed' | 'failed' | 'incomplete'
  readonly text: string
}

/** Returns the verdict on the results of a run, which was cut short if it has fewer of them than checks. */
export function verdictOf({ checks }: Subject, results: readonly Judged[]): Verdict {
  const { passed, warned, failed, notAsked } = summarise(results.map(({ expected: _, ...one }) => one))
  const missing = checks - results.length
  const counts = [
    missing > 0 && `cut short after ${results.length} of ${checks}`,
    failed > 0 && `${failed} failed`,
    failed === 0 && missing === 0 && (passed + warned > 0 ? `${passed} passed` : 'nothing asked'),
    warned > 0 && `${warned} warned`,
    notAsked > 0 && `${notAsked} not asked`,
  ]
  const whole = missing === 0 && notAsked === 0 && passed + warned > 0
  return {
    state: failed > 0 ? 'failed' : whole ? 'passed' : 'incomplete',
    text: counts.filter((count) => count !== false).join(', '),
  }
}
