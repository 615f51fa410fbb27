/** Fastify: the world answers every request without a route, before its body is parsed. */
import { nodeCodings, nodeListener } from '@worldwright/node'
import fastify from 'fastify'
import { createMoons, port, users } from './world.js'

const listener = nodeListener(createMoons({ codings: nodeCodings }))
const answer = (request, reply) => listener(request.raw, reply.hijack().raw)
const app = fastify({ frameworkErrors: (_error, request, reply) => answer(request, reply) })
app.addHook('onRequest', (request, _reply, done) => users.run(request.headers.user, done))
app.addHook('onRequest', (request, reply, done) => (request.is404 ? answer(request, reply) : done()))
await app.listen({ port, host: '127.0.0.1' })
