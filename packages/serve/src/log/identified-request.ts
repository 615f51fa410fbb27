/** A request with an assigned id and the route that it matched. */
import { PassedRequest } from '@worldwright/core'

/** Wraps a request, unchanged except for its id. */
export class IdentifiedRequest extends PassedRequest {
  declare readonly id: string
  /** Path pattern of the matched route; empty before routing, or if no route matched. */
  route = ''
}
