import type { Check, Profile } from './check.ts'

/** Criteria for selecting checks to run. */
export interface Selection {
  /** `level-1` excludes the checks for the project's decisions. Default `full`. */
  readonly profile?: Profile
  /** Check ids or rule ids, with `*` as a wildcard: `D3-7.a`, `D3-7`, `D3-*`. Default: every check in the profile. */
  readonly only?: readonly string[]
}

/** Returns the checks that match the selection, in their original order. */
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
