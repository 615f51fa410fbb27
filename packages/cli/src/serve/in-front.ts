/** What stands in front of a world: the client's address, the log of requests, and limits. */

import { behindProxies, type Storage, type WorldHandler } from '@worldwright/server'
import { DOWNLOADS_PATH } from '@worldwright/server/downloads'
import { createTokenCheck } from '@worldwright/server/operator'
import { limited } from '../limits/limited.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { AccessLog } from '../log/access-log.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

/** What it works with. */
interface FrontDeps {
  readonly log: Pick<Log, 'access'>
  readonly storage: Storage
  /** Counts the requests of this process, where they are limited. */
  readonly rateLimit?: RateLimit | undefined
}

const TOKEN = /^Bearer +(ww_([0-9a-f]{10})_[A-Za-z0-9_-]+) *$/i

/** The same handler behind what the settings ask for. @throws TypeError for `trustedProxies` that are none */
export function inFront(
  handler: WorldHandler,
  settings: Settings,
  { log, storage, rateLimit }: FrontDeps,
): WorldHandler {
  const { accessLog, trustedProxies } = settings
  if (!accessLog && trustedProxies.length === 0 && rateLimit === undefined) return handler
  const access = new AccessLog(accessLog ? { write: log.access } : {})
  const check = createTokenCheck(storage)
  const inner =
    rateLimit === undefined
      ? handler
      : limited(handler, {
          limit: rateLimit,
          async tokenOf({ headers, signal }) {
            const [, token, id] = TOKEN.exec(headers['authorization'] ?? '') ?? []
            return token !== undefined && (await check(token, { signal })) ? id : undefined
          },
          download: ({ origin }) => downloadOf(settings, settings.publicUrl ?? origin),
        })
  const logged: typeof inner = { handle: (request) => access.handle(inner, request) }
  return { ...handler, ...behindProxies(logged, settings) }
}

/** Where the whole of a world is one download: a URL, or a path where the origin is not known. */
export function downloadOf(
  { downloads, private: isPrivate }: Settings,
  origin: string | undefined,
): string | undefined {
  return downloads && !isPrivate ? `${origin ?? ''}${DOWNLOADS_PATH}/world.ndjson` : undefined
}
