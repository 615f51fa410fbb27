/** Listening at an address, and saying why that fails. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Listening, listen, type WorldHandler } from '@worldwright/server'

/** Serves a handler at an address. @throws Error named `ListenFault`, whose message says what to do */
export async function listenAt(
  handler: WorldHandler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  try {
    return await listen(handler, { host, port })
  } catch (error) {
    throw listenFault(error, host, port, '--port')
  }
}

/** Checks that a port is free, before work is done in vain. @throws ListenFault naming the flag */
export async function tryPort(host: string, port: number, flag: string): Promise<void> {
  const server = createServer((connection) => connection.destroy())
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    throw listenFault(error, host, port, flag)
  }
  server.close()
  await once(server, 'close')
}

/** The fault to report for an error of listening, naming the flag that chooses the port; any other error unchanged. */
export function listenFault(error: unknown, host: string, port: number, flag: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const said = code === undefined ? undefined : LISTEN_FAULTS[code]?.(host, port, flag)
  return said === undefined
    ? error
    : Object.assign(new Error(said, { cause: error }), { name: 'ListenFault' })
}

const LISTEN_FAULTS: Readonly<Record<string, (host: string, port: number, flag: string) => string>> = {
  EADDRINUSE: (_, port, flag) =>
    `Port ${port} is in use. Choose another with ${flag}, or ${flag} 0 for any free one.`,
  EACCES: (_, port, flag) => `Port ${port} may not be used by this user. Choose one above 1023 with ${flag}.`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine. Choose another with --host.`,
  ENOTFOUND: (host) => `${host} is no address of this machine. Choose another with --host.`,
}
