/** A request with an id of its own, and what is learnt about it while it is answered. */
import { PassedRequest } from '@worldwright/core'

/** Passes a request on as it is, but for its id. */
export class IdentifiedRequest extends PassedRequest {
  declare readonly id: string
  /** The path of the route that answers, as a pattern; empty until it is known, and if there is none. */
  route = ''
}
