/**
 * The baseline: `node:http` and nothing else, answering every request with one fixed buffer and fixed header fields.
 * Whatever a server does beyond this is its own cost. Reads a `FixedAnswer` as JSON from the file in its argument.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fixed answer of a server to every request. */
export interface FixedAnswer {
  readonly status: number
  /** Header fields in order, without those that Node.js adds. */
  readonly headers: Readonly<Record<string, string>>
  /** Base64; empty if there is no body. */
  readonly body: string
  /** Route for frameworks, with `:name` for its parameters. */
  readonly route: string
}

const { status, headers, body }: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(body, 'base64')
// The same keep-alive timeout as a world: the answer states it.
const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(status, headers)
  response.end(bytes.length === 0 ? undefined : bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})
