/**
 * A world under measurement, with the settings a question needs: `{ "store": FILE, "cacheBytes": N }` as JSON in the
 * argument. What `world serve` adds to this is settings, messages and watching files; nothing of it is on the path of a
 * request.
 */

import { emptyDefinition } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import { createWorld, listen } from '@worldwright/server'
import { openStore } from '@worldwright/server/stores'

const { store, cacheBytes } = JSON.parse(process.argv[2] ?? '{}') as { store: string; cacheBytes?: number }
const storage = await openStore(`sqlite:${store}`, { role: 'reader' })
const types = () => effectiveTypes(emptyDefinition(), storage)
const options = cacheBytes === undefined ? {} : { cacheBytes }
const handler = createWorld({ id: 'urn:example:bench', name: 'Bench', types }, storage, options)
const { port } = await listen(handler, { port: 0 })
process.stdout.write(`listening ${port}\n`)
