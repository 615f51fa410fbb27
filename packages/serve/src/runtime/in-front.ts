/** The extension `worldwright:front`: the client's address, the log of requests, and limits. */

import type { Extension } from '@worldwright/core'
import { DOWNLOADS_PATH } from '@worldwright/extensions/downloads'
import { behindProxies } from '../limits/behind-proxies.ts'
import { limited } from '../limits/limited.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { AccessLog } from '../log/access-log.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

/** What it works with. */
interface FrontDeps {
  readonly log: Pick<Log, 'access'>
  /** Counts the requests of this process, where they are limited. */
  readonly rateLimit?: RateLimit | undefined
}

/** Stands in front of a world with what the settings ask for. @throws TypeError for `trustedProxies` that are none */
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

/** Where the whole of a world is one download: a URL, or a path where the origin is not known. */
export function downloadOf(
  { downloads, private: isPrivate }: Settings,
  origin: string | undefined,
): string | undefined {
  return downloads && !isPrivate ? `${origin ?? ''}${DOWNLOADS_PATH}/world.ndjson` : undefined
}
