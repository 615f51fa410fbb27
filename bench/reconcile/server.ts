/** Serves the store named by the argument, with its reconciliation services, as a separate process. */

import { createWorld } from '@worldwright/core'
import { openStore } from '@worldwright/engines'
import { listen } from '@worldwright/node'
import { emptyDefinition } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import { reconcile } from '../../packages/extensions/src/reconcile/reconcile.ts'

const store = await openStore(`sqlite:${process.argv[2]}`, { role: 'reader' })
const world = createWorld({
  id: 'urn:example:bench',
  name: 'Bench',
  types: () => effectiveTypes(emptyDefinition(), store),
  store,
  extensions: [reconcile()],
})
const server = await listen(world, { port: 0 })
process.once('disconnect', async () => {
  await server.close()
  await store.close()
})
process.send?.(server.port)
