/** The listener for operators: whether the process lives, whether the world is ready, its metrics and its settings. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EntityKey } from '@worldwright/core/store'
import { isLoopback } from '../limits/is-loopback.ts'
import type { ShownSetting } from '../open/settings.ts'
import { listenFault } from './listen-at.ts'
import type { Snapshot } from './metrics.ts'
import type { Reason } from './readiness.ts'

/** Where the answers of the listener come from. */
export interface AdminSources {
  /** The metrics of all processes. */
  readonly snapshots: () => Promise<readonly Snapshot[]>
  /** Why the world is not ready; empty if it is. */
  readonly reasons: () => Promise<readonly Reason[]>
  /** How what is read stands, where it is a copy. */
  readonly copy?: (() => CopyReport) | undefined
  /** Entities that are damaged, as far as they were met: see `DamagedEntities`. */
  readonly damaged: () => Promise<readonly EntityKey[]>
  /** The settings now, secrets masked. */
  readonly config: () => readonly ShownSetting[]
}

/** How a copy stands, for people who look whether it is well. */
export interface CopyReport {
  /** Seconds that it may be behind what it copies; absent where nobody knows. */
  readonly lagSeconds?: number
  /** Why what it copies cannot be reached now; absent if it can. */
  readonly lost?: string
}

/** An open listener for operators. */
export interface AdminServer {
  /** Its address, as an origin. */
  readonly url: string
  close(): void
}

/** An answer of the listener, as text of a media type. */
interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

/**
 * Serves `/live`, `/ready`, `/metrics` and `/config`, on any free port where the port is 0. Undefined if the settings
 * ask for none.
 * @throws ListenFault
 */
export async function serveAdmin(
  { adminHost, adminPort }: { readonly adminHost: string; readonly adminPort?: number },
  sources: AdminSources,
): Promise<AdminServer | undefined> {
  if (adminPort === undefined) return undefined
  const server = createServer(async (request, response) => {
    const { status, type, text } = await answer(request, isLoopback(adminHost), sources)
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : text)
  })
  try {
    server.listen(adminPort, adminHost)
    await once(server, 'listening')
  } catch (error) {
    throw listenFault(error, adminHost, adminPort, { host: '--admin-host', port: '--admin-port' })
  }
  server.unref()
  const host = adminHost.includes(':') ? `[${adminHost}]` : adminHost
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(
  { method, url, headers }: IncomingMessage,
  isForThisMachine: boolean,
  sources: AdminSources,
): Promise<Answer> {
  // DNS rebinding: a stranger's page whose host name resolves to this machine asks by that name.
  if (isForThisMachine && !LOOPBACK_HOST.test(headers.host ?? ''))
    return json(421, { message: 'Ask by the address that is listened on.' })
  const path = url?.split('?')[0] ?? ''
  if (!Object.hasOwn(PAGES, path)) return json(404, { pages: Object.keys(PAGES) })
  if (method !== 'GET' && method !== 'HEAD') return json(405, { allowed: ['GET', 'HEAD'] })
  try {
    return (await PAGES[path]?.(sources)) ?? json(404, {})
  } catch (error) {
    return json(503, { message: String(error) })
  }
}

const PAGES: Readonly<Record<string, (sources: AdminSources) => Promise<Answer> | Answer>> = {
  // That this is answered is all it says.
  '/live': () => json(200, { live: true }),
  // All but what is damaged can be read, and so can a copy: that is said, and keeps no reader away.
  async '/ready'({ reasons, damaged, copy }) {
    const [found, lost] = await Promise.all([reasons(), damaged()])
    const state = {
      ready: found.length === 0,
      reasons: found,
      ...(lost.length > 0 && { damaged: lost }),
      ...(copy && { copy: copy() }),
    }
    return json(found.length === 0 ? 200 : 503, state)
  },
  async '/metrics'({ snapshots }) {
    // Only now: it is slow to load.
    const { METRICS_TYPE, metricsText } = await import('./metrics.ts')
    return { status: 200, type: METRICS_TYPE, text: await metricsText(await snapshots()) }
  },
  '/config': ({ config }) => json(200, { settings: config() }),
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json', text: `${JSON.stringify(body)}\n` }
}
