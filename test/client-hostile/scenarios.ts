/**
 * The hostile worlds, as a table.
 */

import type { Reply } from './hostile-world.ts'
import type { Order } from './probe.ts'
import { bodies } from './scenarios-bodies.ts'
import { contents } from './scenarios-contents.ts'
import { redirects } from './scenarios-redirects.ts'
import { transport } from './scenarios-transport.ts'

/** One hostile world, and what a client must say about it. */
export interface Scenario {
  name: string
  op: Order['op']
  reply: Reply
  /** The code of the error, or any of several; `ok` where the call must succeed. */
  expect: string | readonly string[]
  /** Through `@worldwright/client/guard`, which allows this world's port alone. */
  guard?: true
  /** It sends so much that what the call takes of memory is the question. */
  large?: true
  /** Memory it may take, where the runtime by itself takes more than this client may. */
  mostBytes?: number
}

/** All scenarios, in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [...bodies(), ...contents(), ...redirects(), ...transport()]
