/** The extension `worldwright:front`: the client's address, the log of requests, and limits. */

import type { Extension } from '@worldwright/core'
import { DOWNLOADS_PATH } from '@worldwright/extensions/downloads'
import { behindProxies } from '../limits/behind-proxies.ts'
import { limited } from '../limits/limited.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { AccessLog } from '../log/access-log.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

/** Dependencies of the extension. */
interface FrontDeps {
  readonly log: Pick<Log, 'access'>
  /** Counts the requests of this process, if they are limited. */
  readonly rateLimit?: RateLimit | undefined
}

/** Adds what the settings ask for in front of a world. @throws TypeError for invalid `trustedProxies` */
export function front(settings: Settings, { log, rateLimit }: FrontDeps): Extension {
  const { accessLog, trustedProxies } = settings
  return ({ callerOf }) => ({
    name: 'worldwright:front',
    around(handle) {
      if (!accessLog && trustedProxies.length === 0 && rateLimit === undefined) return handle
      const access = new AccessLog(accessLog ? { write: log.access } : {})
      const inner =
        rateLimit === undefined
          ? { handle }
          : limited(
              { handle },
              {
                limit: rateLimit,
                tokenOf: async (request) => (await callerOf(request))?.id,
                download: ({ origin }) => downloadOf(settings, settings.publicUrl ?? origin),
              },
            )
      const logged: typeof inner = { handle: (request) => access.handle(inner, request) }
      return behindProxies(logged, settings).handle
    },
  })
}

/** Returns where a whole world is one download: a URL, or a path if the origin is unknown; undefined if there is none. */
export function downloadOf(
  { downloads, private: isPrivate }: Settings,
  origin: string | undefined,
): string | undefined {
  return downloads && !isPrivate ? `${origin ?? ''}${DOWNLOADS_PATH}/world.ndjson` : undefined
}
