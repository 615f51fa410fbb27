/** Counts moons in a worker. Browsers have `self.onmessage` and `postMessage` instead. */
import { parentPort } from 'node:worker_threads'
import { connect, type KeptWorld } from '@worldwright/client'

parentPort?.once('message', async (stored: KeptWorld) => {
  // The message includes the discovery document, so the first request goes to the API.
  const world = await connect(stored)
  let count = 0
  for await (const _ of world.entities('sol:moon')) count += 1
  parentPort?.postMessage(count)
})
