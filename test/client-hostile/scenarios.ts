/** Table of all hostile worlds, each with the required outcome of a call. */

import type { Reply } from './hostile-world.ts'
import type { Order } from './probe.ts'
import { bodies } from './scenarios-bodies.ts'
import { contents } from './scenarios-contents.ts'
import { redirects } from './scenarios-redirects.ts'
import { transport } from './scenarios-transport.ts'

/** A hostile world, a call, and the required outcome of the call. */
export interface Scenario {
  name: string
  op: Order['op']
  reply: Reply
  /** Required error code, or several acceptable ones; `ok` if the call must succeed. */
  expect: string | readonly string[]
  /** The client uses `@worldwright/client/guard` and allows only the port of this world. */
  guard?: true
  /** The world sends so much data that the memory of the call is put to the test. */
  large?: true
  /** Memory limit in bytes, set if the runtime alone may exceed the usual limit. */
  mostBytes?: number
}

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [...bodies(), ...contents(), ...redirects(), ...transport()]
