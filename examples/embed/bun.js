/** Bun: the world is the `fetch` handler of the server. */
import { toFetch } from '@worldwright/core'
import { nodeCodings } from '@worldwright/node'
import { createMoons, port, users } from './world.js'

const answer = toFetch(createMoons({ codings: nodeCodings }))
Bun.serve({
  port,
  hostname: '127.0.0.1',
  fetch: (request) => users.run(request.headers.get('user'), answer, request),
})
