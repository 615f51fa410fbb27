/** Passes a connected world to a worker: `node main.ts ORIGIN`. */
import { Worker } from 'node:worker_threads'
import { connect } from '@worldwright/client'

const world = await connect(process.argv[2] ?? 'http://127.0.0.1:8080')
const worker = new Worker(new URL('./count.ts', import.meta.url))
// A world is plain data that can be posted, stored and reconnected.
worker.postMessage(structuredClone(world))
worker.once('message', async (count: number) => {
  console.log(`${count} moons`)
  await worker.terminate()
})
