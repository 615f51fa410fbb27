import type { Judged } from '../check/baseline.ts'
import { escaped } from './markup.ts'
import type { Reporter, Subject } from './reporter.ts'

/** Creates a reporter that writes JUnit XML at the end of the run. It reports known failures as skipped. */
export function junitReporter({ name, profile }: Subject): Reporter {
  return {
    result: () => '',
    end(results, { failed, stale, notAsked, notApplicable, expected }) {
      const seconds = results.reduce((sum, result) => sum + result.milliseconds, 0) / 1000
      const counts = `tests="${results.length}" failures="${failed + stale}" errors="0" skipped="${notAsked + notApplicable + expected}"`
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites ${counts} time="${seconds}">`,
        `<testsuite name="${escaped(`${name} (${profile})`)}" ${counts} time="${seconds}">`,
        ...results.map(testCase),
        '</testsuite>',
        '</testsuites>\n',
      ].join('\n')
    },
  }
}

function testCase(result: Judged): string {
  const { id, rules, demands, milliseconds } = result
  const [rule = ''] = rules
  const head = `<testcase classname="${escaped(rule)}" name="${escaped(`${id} ${demands}`)}" time="${milliseconds / 1000}"`
  const inside = content(result)
  return inside === '' ? `${head}/>` : `${head}>${inside}</testcase>`
}

function content({ outcome, expected, sentence, demands, reason = '', ...shown }: Judged): string {
  const { exchanges = [], runs = [] } = shown
  if (expected === 'stale') return '<failure message="It passes now: take it out of the baseline."/>'
  if (expected === 'failure') return `<skipped message="${escaped(`known failure: ${reason}`)}"/>`
  if (outcome === 'not-applicable') return `<skipped message="${escaped(reason)}"/>`
  if (outcome === 'not-asked') return `<skipped message="${escaped(`not asked: ${reason}`)}"/>`
  if (outcome === 'warning') return `<system-out>${escaped(`warning: ${reason}`)}</system-out>`
  if (outcome === 'pass') return ''
  const told = [
    `The text: ${sentence}\nExpected: ${demands}\nFound: ${reason}`,
    ...runs.map(
      (run) => `$ ${run.command}\nexit: ${run.exit}\nstdout:\n${run.stdout}\nstderr:\n${run.stderr}`,
    ),
    ...exchanges.map(({ request, response }) => `${request}\n\n${response}`),
  ]
  return `<failure message="${escaped(reason)}">${escaped(told.join('\n\n'))}</failure>`
}
