/** Hono: the world answers every request that no earlier route answers. */
import { serve } from '@hono/node-server'
import { toFetch } from '@worldwright/core'
import { nodeCodings } from '@worldwright/node'
import { Hono } from 'hono'
import { createMoons, port, users } from './world.js'

const answer = toFetch(createMoons({ codings: nodeCodings }))
const app = new Hono()
app.use((context, next) => users.run(context.req.header('user'), next))
app.all('*', (context) => answer(context.req.raw))
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
