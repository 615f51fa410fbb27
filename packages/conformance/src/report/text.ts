/** Results for people: a line for each check, then the failures in full, then the numbers. */
import type { Judged, Summary } from '../check/baseline.ts'
import type { Reporter } from './reporter.ts'

/** Reports as plain text. */
export function textReporter(): Reporter {
  return {
    result: (result) => visible(`${mark(result)} ${result.id.padEnd(18)} ${result.demands}${note(result)}\n`),
    end: (results, summary) =>
      visible(`${results.filter(isFault).map(fault).join('')}\n${numbers(summary)}\n`),
  }
}

function mark({ outcome, expected }: Judged): string {
  if (expected === 'stale') return 'FIXED'
  if (expected === 'failure') return 'known'
  return { pass: 'ok   ', fail: 'FAIL ', 'not-applicable': 'n/a  ' }[outcome]
}

function note({ outcome, reason }: Judged): string {
  return outcome === 'not-applicable' ? ` (${reason})` : ''
}

function isFault({ outcome, expected }: Judged): boolean {
  return expected === 'stale' || (outcome === 'fail' && expected === undefined)
}

function fault(result: Judged): string {
  const { id, demands, rules, reason, expected, exchanges = [], runs = [] } = result
  if (expected === 'stale') return `\n${id} passes now: take it out of the baseline.\n`
  return [
    `\n${id} failed: ${reason}`,
    `  It demands: ${demands}.`,
    `  Rules: ${rules.join(', ')}`,
    ...runs.flatMap(({ command, exit, stdout, stderr }) => [
      `  Command: ${command}`,
      `  Exit: ${exit}`,
      ...block('stdout', stdout),
      ...block('stderr', stderr),
    ]),
    ...exchanges.flatMap(({ request, response }) => [
      ...block('Request', request),
      ...block('Response', response),
    ]),
    '',
  ].join('\n')
}

function block(name: string, text: string): string[] {
  return [
    `  ${name}:`,
    ...text
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => `    ${line}`),
  ]
}

function numbers({ passed, failed, notApplicable, expected, stale }: Summary): string {
  const parts = [`${passed} passed`, `${failed} failed`, `${notApplicable} not applicable`]
  if (expected > 0) parts.push(`${expected} known failures`)
  if (stale > 0) parts.push(`${stale} fixed but still in the baseline`)
  if (passed + failed + expected + stale === 0) parts.push('nothing could be asked')
  return `${parts.join(', ')}.`
}

/** Text of others, without what a terminal would obey: controls, direction marks and the like are spelled out. */
function visible(text: string): string {
  return text.replaceAll(
    /[^\P{C}\n]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
