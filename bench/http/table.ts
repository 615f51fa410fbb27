/** Formats the results as a Markdown table with the machine and versions. */
import { cpus } from 'node:os'
import type { Spread } from './measure.ts'

/** Row of the results of a benchmark. */
export interface Line {
  readonly question: string
  /** Required bar as text, or empty if there is none. */
  readonly bar: string
  readonly value: Spread
  /** Ratio of processor time per answer, theirs to ours, if `value` compares answers per second. */
  readonly cost?: Spread
  /** True if the bar is met, or undefined if there is none. */
  readonly met?: boolean | undefined
  /** Median answers per second: ours, then the peer's. */
  readonly perSecond?: readonly [number, number]
  /** Medians in microseconds: ours, then the peer's. */
  readonly micros?: readonly [number, number]
}

/** Formats the rows under a heading with the machine and versions. */
export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ question, bar, value, cost, met, perSecond, micros }) => {
    const half = `${number(value.lower)}–${number(value.upper)}`
    const all = `${number(value.min)}–${number(value.max)}`
    const time = cost === undefined ? '' : number(cost.median)
    const answers = perSecond?.map((one) => Math.round(one).toLocaleString('en')).join(' / ') ?? ''
    const absolute = micros?.map((one) => one.toFixed(1)).join(' / ') ?? ''
    return `| ${question} | ${bar} | ${number(value.median)} | ${half} | ${all} | ${time} | ${verdict(met)} | ${answers} | ${absolute} |`
  })
  const { versions } = process
  return [
    `Node ${versions.node}, ${process.platform}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
    '',
    '| | bar | median | middle half | all | processor time | | a second, ours / theirs | µs per request, ours / theirs |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function number(value: number): string {
  return value.toFixed(2)
}

function verdict(met: boolean | undefined): string {
  if (met === undefined) return ''
  return met ? 'ok' : '**MISS**'
}
