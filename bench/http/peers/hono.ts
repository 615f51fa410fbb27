/** Hono server on Node.js that sends prepared bytes with the same headers. */
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { FixedAnswer } from '../baseline.ts'

const answer: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(answer.body, 'base64')
const app = new Hono()
app.get(answer.route, (context) => context.body(bytes, 200, { ...answer.headers }))
const serverOptions = { keepAliveTimeout: 65_000 }
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', serverOptions }, ({ port }) => {
  process.stdout.write(`listening ${port}\n`)
})
