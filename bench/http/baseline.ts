/**
 * The baseline: `node:http` and nothing else, answering every request with one fixed buffer and fixed headers. Whatever
 * a server does beyond this is its own cost. Reads a `FixedAnswer` as JSON from the file in its argument.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The one answer that this server gives to every request. */
export interface FixedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Base64; empty for none. */
  readonly body: string
}

const { status, headers, body }: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(body, 'base64')
const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(status, headers)
  response.end(bytes.length === 0 ? undefined : bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})
