/** Primary that dies after it sends its socket to a worker, before the worker can return it. Prints the worker's pid. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { forkProcess } from './fork-process.ts'
import { sendSocket, socketOf } from './listening-socket.ts'
import { ACCEPT, has } from './worker-messages.ts'

const [file = ''] = process.argv.slice(2)
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const program = join(import.meta.dirname, 'worker-pool.fixture.ts')
const worker = forkProcess(program, [file], { serialization: 'advanced' })
process.stdout.write(`${worker.pid}\n`)
while (!has((await once(worker, 'message'))[0], 'ready'));
sendSocket(worker, ACCEPT, socketOf(server))
process.kill(process.pid, 'SIGKILL')
