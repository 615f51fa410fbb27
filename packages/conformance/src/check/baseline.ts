/** A baseline: the failures that are known and expected, so that only new ones count. */
import type { CheckResult } from './check.ts'

/** A result compared with a baseline. */
export interface Judged extends CheckResult {
  /** `failure`: it fails, as the baseline says. `stale`: the baseline says it fails, and it passes. */
  readonly expected?: 'failure' | 'stale'
}

/** Number of results of each kind. */
export interface Summary {
  readonly passed: number
  readonly warned: number
  readonly failed: number
  readonly notAsked: number
  readonly notApplicable: number
  /** Failures that the baseline names. */
  readonly expected: number
  /** Passes that the baseline names as failures. */
  readonly stale: number
}

/** Parses a baseline: the id of a check on each line; text after a `#` is a comment. */
export function parseBaseline(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
}

/** Compares a result with the baseline, and marks it if the baseline names it. */
export function judge(result: CheckResult, baseline: ReadonlySet<string>): Judged {
  if (!baseline.has(result.id) || result.outcome.startsWith('not-')) return result
  return { ...result, expected: result.outcome === 'fail' ? 'failure' : 'stale' }
}

/** Counts the results of a run by outcome. */
export function summarise(results: readonly Judged[]): Summary {
  const count = (test: (result: Judged) => boolean) => results.filter(test).length
  return {
    passed: count(({ outcome, expected }) => outcome === 'pass' && expected === undefined),
    warned: count(({ outcome, expected }) => outcome === 'warning' && expected === undefined),
    failed: count(({ outcome, expected }) => outcome === 'fail' && expected === undefined),
    notAsked: count(({ outcome }) => outcome === 'not-asked'),
    notApplicable: count(({ outcome }) => outcome === 'not-applicable'),
    expected: count(({ expected }) => expected === 'failure'),
    stale: count(({ expected }) => expected === 'stale'),
  }
}

/**
 * Reports whether the run is in order: no unexpected failure, no stale expectation, and at least one check was asked.
 * `strict`: no check was left unasked, either.
 */
export function isInOrder(
  { passed, warned, failed, notAsked, expected, stale }: Summary,
  { strict = false }: { readonly strict?: boolean } = {},
): boolean {
  if (strict && notAsked > 0) return false
  return failed === 0 && stale === 0 && passed + warned + expected > 0
}
