/** Resolves a typed origin, and connects to its world. */
import type { World } from '@worldwright/client'
import { connect, type Names } from '@worldwright/client/foreign'
import { fromEnv, type Io } from '../terminal/io.ts'

/** Options that every reading command has. */
export interface ReadingOptions {
  readonly json?: boolean
  readonly token?: string
  /** Origins besides the world's own that may get the token. */
  readonly tokenOrigin?: readonly string[]
  /** Names given by hand, for a world whose names differ from ours. */
  readonly names?: Names
}

const LOOPBACK = /^(?:(?:[^/]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/i

/** Returns the origin with its scheme: `https://` before a bare host, `http://` before one on loopback (decisions 1). */
export function originFrom(typed: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return typed
  return `${LOOPBACK.test(typed) ? 'http' : 'https'}://${typed}`
}

/** Returns the token and its origins, from the flags or the environment, as client options. */
export function tokenFrom({ token, tokenOrigin }: ReadingOptions, io: Pick<Io, 'env'>) {
  const origins = tokenOrigin ?? fromEnv(io, 'WORLD_TOKEN_ORIGIN')?.split(',') ?? []
  return { token: token ?? fromEnv(io, 'WORLD_TOKEN'), tokenOrigins: origins.map(originFrom) }
}

/** Connects to the world at an origin, with the token from the flags or the environment. */
export async function connectTo(typed: string, options: ReadingOptions, io: Io): Promise<World> {
  return connect(originFrom(typed), {
    ...tokenFrom(options, io),
    signal: io.signal,
    fetch: io.fetch,
    names: options.names,
  })
}
