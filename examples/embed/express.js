/** Express: the world answers every request that no earlier route answers. */
import { nodeCodings, nodeListener } from '@worldwright/node'
import express from 'express'
import { createMoons, port, users } from './world.js'

const app = express()
app.use((request, _response, next) => users.run(request.get('user'), next))
app.use(nodeListener(createMoons({ codings: nodeCodings })))
app.listen(port, '127.0.0.1')
