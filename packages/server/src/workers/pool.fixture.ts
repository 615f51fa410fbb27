/** The worker program of the pool's tests: a world over a shared store, with a route that writes and one that tells who answers. */
import { listen } from '../adapters/node.ts'
import { createWorld } from '../handler/handler.ts'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { createSharedStorage } from './shared-writer.ts'
import { untilFinished } from './worker.ts'

const reader = openSqliteStorage(process.argv[2] ?? '', { readOnly: true })
const storage = createSharedStorage(reader, process as Parameters<typeof createSharedStorage>[1])
const plain = { 'content-type': 'text/plain' }
const routes = [
  {
    path: '/write/{title}',
    methods: {
      async POST(_request: unknown, { title = '' }) {
        await storage.write([{ put: { type: 'sol:moon', id: 'io', title, attributes: {} } }])
        return { status: 200, headers: plain, body: title }
      },
    },
  },
  { path: '/pid', methods: { GET: () => ({ status: 200, headers: plain, body: String(process.pid) }) } },
]
const handler = createWorld({ id: 'urn:example:sol', types: [{ type: 'sol:moon' }] }, storage, { routes })
const listening = await listen(handler, { port: 0 })
await untilFinished(listening, new AbortController().signal)
await storage.close()
process.disconnect()
