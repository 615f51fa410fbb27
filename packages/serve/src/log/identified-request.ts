import { PassedRequest } from '@worldwright/core'

/** Request with an assigned id and the route that it matched, otherwise unchanged. */
export class IdentifiedRequest extends PassedRequest {
  declare readonly id: string
  /** Path pattern of the matched route; empty before routing, or if no route matched. */
  route = ''
}
