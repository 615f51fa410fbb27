/** Ports for programs that cannot choose one themselves. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a loopback port that is currently free. It is below the range from which the system takes ports for connections and
 * for servers at port 0, so that nothing else takes it before the program does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
