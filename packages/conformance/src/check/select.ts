/** Selection of checks: a profile, and patterns for ids and rules. */
import type { Check, Profile } from './check.ts'

/** Criteria of a selection of checks. */
export interface Selection {
  /** `level-1` leaves out the checks of the decisions. Default `full`. */
  readonly profile?: Profile
  /** Ids or rules, with `*` as a wildcard: `D3-7`, `D3-7.a`, `D3-*`. Absent for all. */
  readonly only?: readonly string[]
}

/** Returns the checks that a selection keeps, in their order. */
export function selectChecks<C extends Pick<Check<never>, 'id' | 'rules' | 'profile'>>(
  checks: readonly C[],
  { profile = 'full', only }: Selection,
): C[] {
  const patterns = only?.map(matcher)
  return checks.filter(
    (check) =>
      (profile === 'full' || check.profile === 'level-1') &&
      (patterns === undefined || patterns.some((matches) => [check.id, ...check.rules].some(matches))),
  )
}

function matcher(pattern: string): (text: string) => boolean {
  const source = pattern.split('*').map((part) => part.replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&'))
  const expression = new RegExp(`^${source.join('.*')}$`)
  return (text) => expression.test(text)
}
