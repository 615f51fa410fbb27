/** Compares results with a baseline, which lists the known failures so that only new failures count. */
import { readFile } from 'node:fs/promises'
import type { CheckResult } from './check.ts'

/** A result compared with a baseline. */
export interface Judged extends CheckResult {
  /** Set if the baseline lists the check as a failure. `failure`: it does fail. `stale`: it no longer fails. */
  readonly expected?: 'failure' | 'stale'
}

/** Number of results per outcome, after comparison with the baseline. */
export interface Summary {
  readonly passed: number
  readonly warned: number
  readonly failed: number
  readonly notAsked: number
  readonly notApplicable: number
  /** Number of failures that the baseline lists; `failed` does not include them. */
  readonly expected: number
  /** Number of checks that the baseline lists as failures but that no longer fail. */
  readonly stale: number
}

/** Parses a baseline, which has one check id per line; `#` starts a comment. */
export function parseBaseline(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
}

/** Reads the ids in a baseline file. Throws TypeError if it cannot be read, or has an id that is not in `known`. */
export async function readBaseline(file: string, known: ReadonlySet<string>): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new TypeError(`The baseline cannot be read: ${cause.message}`)
  })
  const ids = parseBaseline(text)
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw new TypeError(`The baseline names a check that there is not: ${unknown}`)
  return ids
}

/** Marks `result` as known or stale if the baseline lists its check. */
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
 * Reports whether a run succeeded: no unexpected failure, no stale baseline entry, and at least one applicable check that
 * was run. With `strict`, every check must have been run.
 */
export function isInOrder(
  { passed, warned, failed, notAsked, expected, stale }: Summary,
  { strict = false }: { readonly strict?: boolean } = {},
): boolean {
  if (strict && notAsked > 0) return false
  return failed === 0 && stale === 0 && passed + warned + expected > 0
}
