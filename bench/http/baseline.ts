/**
 * Baseline server: bare `node:http`, which answers every request with a fixed buffer and fixed header fields. The cost of
 * any other server beyond this is its own. Reads a `FixedAnswer` as JSON from the file in its argument.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Fixed answer that a server gives to every request. */
export interface FixedAnswer {
  readonly status: number
  /** Header fields in order, except those that Node.js adds. */
  readonly headers: Readonly<Record<string, string>>
  /** Body in Base64, or empty if there is none. */
  readonly body: string
  /** Route for frameworks, with `:name` for its parameters. */
  readonly route: string
}

const { status, headers, body }: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(body, 'base64')
// Same keep-alive timeout as a world, because the timeout appears in the answer.
const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(status, headers)
  response.end(bytes.length === 0 ? undefined : bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})
