/** Node.js: the world has a server of its own. */
import { listen, nodeCodings } from '@worldwright/node'
import { createMoons, port, users } from './world.js'

const world = createMoons({ codings: nodeCodings })
const handle = (request) => users.run(request.headers.user, () => world.handle(request))
await listen({ handle }, { port })
