/** Worker program for pool tests: a world with a shared store, a route that writes, and a route that returns the pid. */
import { createWorld } from '../../../core/src/handler/handler.ts'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { type Channel, createCaller } from './rpc.ts'
import { createSharedStore } from './shared-store.ts'
import { serveAsWorker } from './worker-process.ts'

const [file = '', origin = 'http://127.0.0.1'] = process.argv.slice(2)
const reader = openSqliteStore(file, { readOnly: true })
const store = createSharedStore(reader, createCaller(process as unknown as Channel))
const plain = { 'content-type': 'text/plain' }
const routes = [
  {
    path: '/write/{title}',
    methods: {
      async POST(_request: unknown, { title = '' }) {
        await store.write([{ put: { type: 'sol:moon', id: 'io', title, attributes: {} } }])
        return { status: 200, headers: plain, body: title }
      },
    },
  },
  { path: '/pid', methods: { GET: () => ({ status: 200, headers: plain, body: String(process.pid) }) } },
]
const handler = createWorld({
  id: 'urn:example:sol',
  types: [{ type: 'sol:moon' }],
  store,
  extensions: [() => ({ name: 'sol:test', routes })],
})
const ending = new AbortController()
process.on('SIGTERM', () => ending.abort())
await serveAsWorker(handler, { origin, signal: ending.signal })
await store.close()
if (process.connected) process.disconnect()
