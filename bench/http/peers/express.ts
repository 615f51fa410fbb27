/** Express, sending a ready string with the same headers. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { FixedAnswer } from '../baseline.ts'

const answer: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const text = Buffer.from(answer.body, 'base64').toString()
const app = express()
app.get('/api/world/v0/entities/:type/:id', (_request: unknown, response: PeerResponse) => {
  response.set(answer.headers).send(text)
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})

interface PeerResponse {
  set(fields: FixedAnswer['headers']): PeerResponse
  send(text: string): void
}
