/** Counts moons in a worker. In a browser this is the same with `self.onmessage` and `postMessage`. */
import { parentPort } from 'node:worker_threads'
import { connect, type KeptWorld } from '@worldwright/client'

parentPort?.once('message', async (stored: KeptWorld) => {
  // Its discovery document came along: the first request goes to the API.
  const world = await connect(stored)
  let count = 0
  for await (const _ of world.entities('sol:moon')) count += 1
  parentPort?.postMessage(count)
})
