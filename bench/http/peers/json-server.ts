/** json-server over one collection that holds the entity; the target is rewritten to its own form of address. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import jsonServer from 'json-server'
import type { FixedAnswer } from '../baseline.ts'

const answer: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const entity = JSON.parse(Buffer.from(answer.body, 'base64').toString())
const app = jsonServer.create()
app.use(jsonServer.rewriter({ '/api/world/v0/entities/:type/:id': '/entities/:id' }))
app.use(jsonServer.router({ entities: [entity] }))
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})
