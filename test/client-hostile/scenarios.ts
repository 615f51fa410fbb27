/**
 * The hostile worlds, as a table.
 */

import type { Reply } from './hostile-world.ts'
import type { Order } from './probe.ts'
import { bodies } from './scenarios-bodies.ts'
import { contents } from './scenarios-contents.ts'
import { redirects } from './scenarios-redirects.ts'
import { transport } from './scenarios-transport.ts'

/** One hostile world, and the outcome required of a client. */
export interface Scenario {
  name: string
  op: Order['op']
  reply: Reply
  /** Code of the error, or any of several; `ok` if the call must succeed. */
  expect: string | readonly string[]
  /** Uses `@worldwright/client/guard`, which allows only this world's port. */
  guard?: true
  /** Sends so much that the memory of the call is under test. */
  large?: true
  /** Memory limit in bytes, if the runtime alone exceeds the client's limit. */
  mostBytes?: number
}

/** All scenarios, in running order. */
export const SCENARIOS: readonly Scenario[] = [...bodies(), ...contents(), ...redirects(), ...transport()]
