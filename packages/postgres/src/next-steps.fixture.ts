/** Steps to formats after the current one, for tests. */
import { type FormatStep, STEPS } from './format-steps.ts'

/** Adds columns, so that nodes of the current format still work. */
export const EXPAND: FormatStep = {
  sql: 'ALTER TABLE store ADD COLUMN note text; ALTER TABLE entities ADD COLUMN note text',
  least: STEPS.length,
}

/** Takes away a column that nodes of the current format read. */
export const CONTRACT: FormatStep = {
  sql: 'ALTER TABLE entities RENAME COLUMN json TO body',
  least: STEPS.length + 1,
}
