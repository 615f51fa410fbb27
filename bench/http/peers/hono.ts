/** Hono on Node, sending a ready string with the same headers. */
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { FixedAnswer } from '../baseline.ts'

const answer: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const text = Buffer.from(answer.body, 'base64').toString()
const app = new Hono()
app.get('/api/world/v0/entities/:type/:id', (context) => context.body(text, 200, { ...answer.headers }))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`listening ${port}\n`)
})
