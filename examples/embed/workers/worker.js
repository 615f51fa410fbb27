/** Cloudflare Workers: the world is the `fetch` handler of the worker. */
import { toFetch } from '@worldwright/core'
import { nodeCodings } from '@worldwright/node'
import { createMoons, users } from '../world.js'

const answer = toFetch(createMoons({ codings: nodeCodings }))
export default {
  fetch: (request) => users.run(request.headers.get('user'), answer, request),
}
