/** Lists of the checks, without running them. */
import type { CheckResult } from './check/check.ts'
import { type Selection, selectChecks } from './check/select.ts'
import { clientScenarios } from './client/scenarios.ts'
import { serverChecks } from './server/checks.ts'

/** A check as a list shows it. */
export type CheckListing = Pick<CheckResult, 'id' | 'rules' | 'profile' | 'demands'>

/** Lists the checks of a server, in the order of the specification. */
export function listServerChecks(selection: Selection = {}): CheckListing[] {
  return selectChecks(serverChecks, selection).map(plain)
}

/** Lists the scenarios for a client, in the order of the specification. */
export function listClientChecks(selection: Selection = {}): CheckListing[] {
  return selectChecks(clientScenarios, selection).map(plain)
}

function plain({ id, rules, profile, demands }: CheckListing): CheckListing {
  return { id, rules, profile, demands }
}
