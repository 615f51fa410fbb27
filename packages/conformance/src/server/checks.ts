import type { Check } from '../check/check.ts'
import { accessChecks } from './access.ts'
import { addressChecks } from './addresses.ts'
import { cachingChecks } from './caching.ts'
import { discoverInputChecks } from './discover-input.ts'
import { discoverOutputChecks } from './discover-output.ts'
import { documentChecks } from './document.ts'
import { entityChecks } from './entities.ts'
import { errorBodyChecks } from './error-bodies.ts'
import { errorCodeChecks } from './error-codes.ts'
import { idChecks } from './ids.ts'
import { levelOneAnswerChecks } from './level-1-answers.ts'
import { levelOneDiscoverChecks } from './level-1-discover.ts'
import { levelOneDiscoveryChecks } from './level-1-discovery.ts'
import { levelOneEntityChecks } from './level-1-entities.ts'
import { levelOneErrorChecks } from './level-1-errors.ts'
import { levelOneIdChecks } from './level-1-ids.ts'
import { levelOneListChecks } from './level-1-lists.ts'
import { levelOneWalkChecks } from './level-1-walks.ts'
import { limitChecks } from './limits.ts'
import { listChecks } from './lists.ts'
import { methodChecks } from './methods.ts'
import { negotiationChecks } from './negotiation.ts'
import { parserChecks } from './parser.ts'
import { queryConditionChecks } from './query-conditions.ts'
import { queryDeclaredChecks } from './query-declared.ts'
import { queryGroupChecks } from './query-groups.ts'
import { queryResultChecks } from './query-results.ts'
import type { Target } from './target.ts'
import { typeChecks } from './types.ts'

/** Server checks: Level 1 first, then the decisions by section and number. */
export const serverChecks: readonly Check<Target>[] = [
  ...levelOneDiscoveryChecks,
  ...levelOneListChecks,
  ...levelOneWalkChecks,
  ...levelOneEntityChecks,
  ...levelOneIdChecks,
  ...levelOneDiscoverChecks,
  ...levelOneErrorChecks,
  ...levelOneAnswerChecks,
  ...inOrder([
    ...addressChecks,
    ...documentChecks,
    ...entityChecks,
    ...typeChecks,
    ...idChecks,
    ...listChecks,
    ...limitChecks,
    ...discoverInputChecks,
    ...discoverOutputChecks,
    ...errorBodyChecks,
    ...errorCodeChecks,
    ...parserChecks,
    ...cachingChecks,
    ...methodChecks,
    ...negotiationChecks,
    ...accessChecks,
    ...queryDeclaredChecks,
    ...queryConditionChecks,
    ...queryResultChecks,
    ...queryGroupChecks,
  ]),
]

function inOrder(checks: Check<Target>[]): Check<Target>[] {
  return checks.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
}
