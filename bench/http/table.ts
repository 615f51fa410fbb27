/** The result as a table in Markdown, with what it was measured on. */
import { cpus } from 'node:os'
import type { Line } from './per-request.ts'

/** The lines under a heading that names machine and versions. */
export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ question, bar, value, met, micros }) => {
    const half = `${number(value.lower)}–${number(value.upper)}`
    const all = `${number(value.min)}–${number(value.max)}`
    const absolute = micros === undefined ? '' : micros.map((one) => one.toFixed(1)).join(' / ')
    return `| ${question} | ${bar} | ${number(value.median)} | ${half} | ${all} | ${verdict(met)} | ${absolute} |`
  })
  const { versions } = process
  return [
    `Node ${versions.node}, ${process.platform}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
    '',
    '| | bar | median | middle half | all | met | µs per request, ours / theirs |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function number(value: number): string {
  return value.toFixed(2)
}

function verdict(met: boolean | undefined): string {
  if (met === undefined) return ''
  return met ? 'yes' : '**no**'
}
