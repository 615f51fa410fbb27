/** Lists the checks without running them. */
import type { CheckResult } from './check/check.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { clientScenarios } from './client/scenarios.ts'
import { serverChecks } from './server/checks.ts'

/** The members of a check that a listing shows. */
export type CheckListing = Pick<CheckResult, 'id' | 'rules' | 'profile' | 'demands'>

/** Lists the server checks in specification order. */
export function listServerChecks(selection: Selection = {}): CheckListing[] {
  return selectChecks(serverChecks, selection).map(plain)
}

/** Lists the client scenarios in specification order. */
export function listClientChecks(selection: Selection = {}): CheckListing[] {
  return selectChecks(clientScenarios, selection).map(plain)
}

function plain({ id, rules, profile, demands }: CheckListing): CheckListing {
  return { id, rules, profile, demands }
}
