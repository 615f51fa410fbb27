/** Deno: the world is the handler of the server. */
import { toFetch } from '@worldwright/core'
import { nodeCodings } from '@worldwright/node'
import { createMoons, port, users } from './world.js'

const answer = toFetch(createMoons({ codings: nodeCodings }))
const handle = (request) => users.run(request.headers.get('user'), answer, request)
Deno.serve({ port, hostname: '127.0.0.1' }, handle)
