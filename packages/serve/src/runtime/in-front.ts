/** Extension `worldwright:front`: client address, access log, and rate limits. */

import type { Extension } from '@worldwright/core'
import { DOWNLOADS_PATH } from '@worldwright/extensions/downloads'
import { behindProxies } from '../limits/behind-proxies.ts'
import { limited } from '../limits/limited.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { AccessLog } from '../log/access-log.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

interface FrontDeps {
  readonly log: Pick<Log, 'access'>
  /** Rate limit of this process; absent if requests are not limited. */
  readonly rateLimit?: RateLimit | undefined
}

/** Creates the extension from settings. @throws TypeError if `trustedProxies` is invalid */
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

/** Returns the URL of the whole-world download, or its path if `origin` is undefined; undefined if there is no download. */
export function downloadOf(
  { downloads, private: isPrivate }: Settings,
  origin: string | undefined,
): string | undefined {
  return downloads && !isPrivate ? `${origin ?? ''}${DOWNLOADS_PATH}/world.ndjson` : undefined
}
