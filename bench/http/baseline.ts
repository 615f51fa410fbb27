/**
 * The baseline: `node:http` and nothing else, answering every request with one fixed buffer and fixed header fields.
 * Whatever a server does beyond this is its own cost. Reads a `FixedAnswer` as JSON from the file in its argument.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The one answer that a server gives to every request. */
export interface FixedAnswer {
  readonly status: number
  /** Header fields in their order, without those that Node adds. */
  readonly headers: Readonly<Record<string, string>>
  /** Base64; empty for none. */
  readonly body: string
  /** Route for frameworks, with `:name` for what varies. */
  readonly route: string
}

const { status, headers, body }: FixedAnswer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const bytes = Buffer.from(body, 'base64')
// As long as a world keeps a connection: the answer names the time.
const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(status, headers)
  response.end(bytes.length === 0 ? undefined : bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`)
})
