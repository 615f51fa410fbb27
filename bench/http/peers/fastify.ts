/** Fastify server that sends prepared bytes with the same headers, as users of Fastify serve existing JSON. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import type { FixedAnswer } from '../baseline.ts'

const answer: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(answer.body, 'base64')
const app = fastify({ keepAliveTimeout: 65_000 })
app.get(answer.route, (_request, reply) => reply.headers(answer.headers).send(bytes))
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`listening ${app.addresses()[0]?.port}\n`)
