/**
 * Makes the process that preloads it a node of the next format: `node --import FILE`. For tests alone.
 */
import { STEPS } from './format-steps.ts'
import { EXPAND } from './next-steps.fixture.ts'

STEPS.push(EXPAND)
