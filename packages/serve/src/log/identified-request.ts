/** A request with an id of its own, and facts filled in as it is handled. */
import { PassedRequest } from '@worldwright/core'

/** Passes a request on unchanged except for its id. */
export class IdentifiedRequest extends PassedRequest {
  declare readonly id: string
  /** Path pattern of the route that answers; empty until it is known, and if there is none. */
  route = ''
}
