import type { Check } from '../check/check.ts'
import { addressScenarios } from './addresses.ts'
import { discoverScenarios } from './discover.ts'
import { entityScenarios } from './entities.ts'
import { errorScenarios } from './errors.ts'
import { foreignScenarios } from './foreign.ts'
import { foreignErrorScenarios } from './foreign-errors.ts'
import { listScenarios } from './lists.ts'
import { movingScenarios } from './moving.ts'
import type { Stage } from './stage.ts'
import { tokenScenarios } from './tokens.ts'

/** Client scenarios: Level 1 first, then the decisions by section and number. */
export const clientScenarios: readonly Check<Stage>[] = [
  ...addressScenarios,
  ...movingScenarios,
  ...entityScenarios,
  ...listScenarios,
  ...discoverScenarios,
  ...errorScenarios,
  ...tokenScenarios,
  ...foreignScenarios,
  ...foreignErrorScenarios,
].sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id, 'en', { numeric: true }))

function rank({ profile }: Check<Stage>): number {
  return profile === 'level-1' ? 0 : 1
}
