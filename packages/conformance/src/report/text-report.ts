import type { Judged, Summary } from '../check/baseline.ts'
import { namesIn } from '../server/facts.ts'
import { visible } from './markup.ts'
import type { Reporter } from './reporter.ts'

/** Creates a reporter that writes plain text, one line for each check as it ends. */
export function textReporter(): Reporter {
  return {
    result: (result) => visible(`${mark(result)} ${result.id.padEnd(18)} ${result.demands}${note(result)}\n`),
    end(results, summary, facts) {
      const names = namesIn(facts?.reading)
      const read = names === '' ? '' : `\nRead by: ${names}\n`
      return visible([...faults(results), read, `\n${numbers(summary)}\n`, ...unasked(results)].join(''))
    },
  }
}

function mark({ outcome, expected }: Judged): string {
  if (expected === 'stale') return 'FIXED    '
  if (expected === 'failure') return 'known    '
  return {
    pass: 'ok       ',
    warning: 'warning  ',
    fail: 'FAIL     ',
    'not-asked': 'not asked',
    'not-applicable': 'n/a      ',
  }[outcome]
}

function note({ outcome, reason }: Judged): string {
  return outcome === 'pass' || outcome === 'fail' ? '' : ` (${reason})`
}

/** Formats the failures in full. If several have the same cause, the later ones only refer to the first. */
function faults(results: readonly Judged[]): string[] {
  const known = new Map<string, string>()
  return results
    .filter(({ outcome, expected }) => expected === 'stale' || (outcome === 'fail' && expected === undefined))
    .map((result) => {
      const { id, expected, reason } = result
      if (expected === 'stale') return `\n${id} passes now: take it out of the baseline.\n`
      const cause = causeOf(result)
      const earlier = known.get(cause)
      if (earlier !== undefined) return `\n${id} failed like ${earlier}: ${reason}\n`
      known.set(cause, id)
      return fault(result)
    })
}

/** Returns a key for the cause of a failure. Failures share a key if they report the same finding in the same response. */
function causeOf({ id, reason, exchanges = [] }: Judged): string {
  const [first] = exchanges
  if (first === undefined) return id
  return [reason, first.request, first.response.replaceAll(/^date: .*$/gim, '')].join('\n')
}

function fault({ id, rules, demands, sentence, reason, exchanges = [], runs = [] }: Judged): string {
  return [
    `\n${id} failed`,
    `  The text: ${sentence} (${rules[0]})`,
    `  Expected: ${demands}`,
    `  Found: ${reason}`,
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
  const lines = text.trimEnd().split(/\r?\n/)
  return [`  ${name}:`, ...lines.map((line) => `    ${line}`)]
}

function numbers({ passed, warned, failed, notAsked, notApplicable, expected, stale }: Summary): string {
  const parts = [`${passed} passed`, `${failed} failed`, `${notAsked} not asked`]
  if (warned > 0) parts.splice(1, 0, `${warned} passed with a warning`)
  parts.push(`${notApplicable} not applicable`)
  if (expected > 0) parts.push(`${expected} known failures`)
  if (stale > 0) parts.push(`${stale} fixed but still in the baseline`)
  if (passed + warned + failed + expected + stale === 0) parts.push('nothing could be asked')
  return `${parts.join(', ')}.`
}

/** Lists the options and prerequisites that would enable skipped checks, ordered by how many each would enable. */
function unasked(results: readonly Judged[]): string[] {
  const counts = new Map<string, number>()
  for (const { outcome, option, after } of results) {
    if (outcome !== 'not-asked') continue
    const remedy = option === undefined ? (after === undefined ? '' : `${after} passes`) : `given ${option}`
    if (remedy !== '') counts.set(remedy, (counts.get(remedy) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([remedy, count]) => `${count} more can be asked once ${remedy}.\n`)
}
