/** Resolves an origin from the command line, and connects to its world. */
import type { World } from '@worldwright/client'
import { parseExact } from '@worldwright/client/exact'
import { connect, type Names } from '@worldwright/client/foreign'
import { fromEnv, type Io } from '../terminal/io.ts'
import { readingProfile } from './reading-profile.ts'

/** Options shared by the reading commands. */
export interface ReadingOptions {
  readonly json?: boolean
  readonly token?: string
  /** Additional origins that the token may be sent to. */
  readonly tokenOrigin?: readonly string[]
  /** Member names for a world that does not use those in the specification. */
  readonly names?: Names
  /** File or URL of a reading profile. Names in `names` take precedence. */
  readonly profileFile?: string
}

const LOOPBACK = /^(?:(?:[^/]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/i

/** Adds a scheme to an origin that has none: `http` for a loopback host, otherwise `https` (decisions 1). */
export function originFrom(typed: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return typed
  return `${LOOPBACK.test(typed) ? 'http' : 'https'}://${typed}`
}

/** Returns the reason why `url`, which has a path, is no address of a world, and the two ways out. */
export function waysWithoutPath({ origin, pathname }: URL): string {
  return (
    'A world needs a host name of its own: clients look for /.well-known/world.json on a host, without a path. ' +
    'Give it one, such as https://collections.museum.example, or put only its API and explorer below the path: ' +
    `--public-url ${origin} --api-url ${origin}${pathname.replace(/\/$/, '')}/api. See docs/guides/behind-a-proxy.md.`
  )
}

/** Returns client options with the token and the origins it may be sent to, from the flags or the environment. */
export function tokenFrom({ token, tokenOrigin }: ReadingOptions, io: Pick<Io, 'env'>) {
  const origins = tokenOrigin ?? fromEnv(io, 'WORLD_TOKEN_ORIGIN')?.split(',') ?? []
  return { token: token ?? fromEnv(io, 'WORLD_TOKEN'), tokenOrigins: origins.map(originFrom) }
}

/**
 * Connects to the world at an origin, with the token and the reading profile from the flags or the environment. Bodies are
 * parsed without loss.
 */
export async function connectTo(typed: string, options: ReadingOptions, io: Io): Promise<World> {
  return connect(originFrom(typed), {
    ...tokenFrom(options, io),
    signal: io.signal,
    fetch: io.fetch,
    names: options.names,
    parse: parseExact,
    profile: options.profileFile === undefined ? undefined : await readingProfile(options.profileFile, io),
  })
}
