/** Fastify, sending a ready string with the same headers: how its users serve JSON they already have. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import type { FixedAnswer } from '../baseline.ts'

const answer: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const text = Buffer.from(answer.body, 'base64').toString()
const app = fastify()
app.get('/api/world/v0/entities/:type/:id', (_request, reply) => reply.headers(answer.headers).send(text))
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`listening ${app.addresses()[0]?.port}\n`)
