/** The listener for operators: liveness, readiness, metrics and settings. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EntityKey } from '@worldwright/core/store'
import { isLoopback } from '../limits/is-loopback.ts'
import type { ShownSetting } from '../open/settings.ts'
import { listenFault } from './listen-at.ts'
import type { Snapshot } from './metrics.ts'
import type { Reason } from './readiness.ts'

/** Providers of the answers of the listener. */
export interface AdminSources {
  /** Returns the metrics of all processes. */
  readonly snapshots: () => Promise<readonly Snapshot[]>
  /** Returns the reasons why the world is not ready; empty if it is. */
  readonly reasons: () => Promise<readonly Reason[]>
  /** Returns the replication status, if the store is a replica. */
  readonly copy?: (() => CopyReport) | undefined
  /** Returns the damaged entities met so far: see `DamagedEntities`. */
  readonly damaged: () => Promise<readonly EntityKey[]>
  /** Returns the current settings, secrets masked. */
  readonly config: () => readonly ShownSetting[]
}

/** Replication status of a replica, for its operator. */
export interface CopyReport {
  /** Maximum lag, in seconds; absent if it is unknown. */
  readonly lagSeconds?: number
  /** Reason why the upstream or primary cannot be reached now; absent if it can. */
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
 * Serves `/live`, `/ready`, `/metrics` and `/config`, on any free port if the port is 0. Returns undefined if the settings ask
 * for no listener.
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
  // Any answer means that the process lives.
  '/live': () => json(200, { live: true }),
  // Damage and replication status are reported, but keep no reader away: everything else can be read.
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
    // Loaded on demand: it is slow to load.
    const { METRICS_TYPE, metricsText } = await import('./metrics.ts')
    return { status: 200, type: METRICS_TYPE, text: await metricsText(await snapshots()) }
  },
  '/config': ({ config }) => json(200, { settings: config() }),
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json', text: `${JSON.stringify(body)}\n` }
}
