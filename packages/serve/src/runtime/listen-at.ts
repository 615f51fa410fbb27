/** Listens at an address, and converts listen errors to messages with advice. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WorldHandler } from '@worldwright/core'
import { type Listening, type ListenOptions, listen } from '@worldwright/node'
import { limitConnections } from '../overload/limit-connections.ts'

/** Serves a handler at an address. @throws Error named `ListenFault`, with advice in its message */
export async function listenAt(
  handler: WorldHandler,
  {
    host,
    port,
    admitConnection,
  }: Pick<ListenOptions, 'port' | 'admitConnection'> & { readonly host: string },
): Promise<Listening> {
  try {
    const limits = limitConnections()
    return await listen(handler, { host, port, limits, ...(admitConnection && { admitConnection }) })
  } catch (error) {
    throw listenFault(error, host, port)
  }
}

/** Lets a server listen. Returns its port, and a function that ends all connections. @throws Error named `ListenFault` */
export async function listening(server: Server, host: string, port: number, flags = WORLD_FLAGS) {
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    throw listenFault(error, host, port, flags)
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface ListenFlags {
  readonly host: string
  readonly port: string
}

const WORLD_FLAGS: ListenFlags = { host: '--host', port: '--port' }

/** Converts a listen error to a `ListenFault` that names the flags. Returns any other error unchanged. */
export function listenFault(error: unknown, host: string, port: number, flags = WORLD_FLAGS): unknown {
  const { code } = error as NodeJS.ErrnoException
  const said = code === undefined ? undefined : LISTEN_FAULTS[code]?.(host, port, flags)
  return said === undefined
    ? error
    : Object.assign(new Error(said, { cause: error }), { name: 'ListenFault' })
}

const LISTEN_FAULTS: Readonly<Record<string, (host: string, port: number, flags: ListenFlags) => string>> = {
  EADDRINUSE: (_, port, flags) =>
    `Port ${port} is in use. Choose another with ${flags.port}, or ${flags.port} 0 for any free one.`,
  EACCES: (_, port, flags) =>
    `Port ${port} may not be used by this user. Choose one above 1023 with ${flags.port}.`,
  EADDRNOTAVAIL: (host, _, flags) =>
    `${host} is no address of this machine. Choose another with ${flags.host}.`,
  ENOTFOUND: (host, _, flags) => `${host} is no address of this machine. Choose another with ${flags.host}.`,
}
