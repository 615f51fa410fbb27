/** Admin server: liveness, readiness, metrics and settings for operators. */
import { createServer, type IncomingMessage } from 'node:http'
import type { EntityKey } from '@worldwright/core/store'
import { isLoopback } from '../limits/is-loopback.ts'
import type { ShownSetting } from '../open/settings.ts'
import { listening } from './listen-at.ts'
import type { Snapshot } from './metrics.ts'
import { PARTS, type ReadinessReport, type Reason } from './readiness.ts'

/** Data sources for the admin server's responses. */
export interface AdminSources {
  /** Returns the metrics of all processes. */
  readonly snapshots: () => Promise<readonly Snapshot[]>
  /** Checks the world and its parts. */
  readonly readiness: () => Promise<ReadinessReport>
  /** Returns the replication status; absent if the store is not a replica. */
  readonly replica?: (() => ReplicaReport) | undefined
  /** Returns the state of the index in a cluster; absent if no cluster searches. */
  readonly cluster?: (() => ReplicaReport) | undefined
  /** Returns the damaged entities found so far. See `DamagedEntities`. */
  readonly damaged: () => Promise<readonly EntityKey[]>
  /** Returns the current settings, with secrets masked. */
  readonly config: () => readonly ShownSetting[]
}

/** Replication status, as reported to the operator. */
export interface ReplicaReport {
  /** Upper bound of the lag, in seconds; absent if it is unknown. */
  readonly lagSeconds?: number
  /** Reason why the upstream or primary cannot be reached, or the index is not fed; absent if it is. */
  readonly lost?: string
}

/** A running admin server for operators. */
export interface AdminServer {
  /** Origin of the admin server. */
  readonly url: string
  close(): void
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

/**
 * Serves `/live`, `/ready` and its parts, `/metrics` and `/config`. Port 0 selects a free port. Returns undefined if no port is set.
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
  const flags = { host: '--admin-host', port: '--admin-port' }
  const { port, close } = await listening(server, adminHost, adminPort, flags)
  server.unref()
  const host = adminHost.includes(':') ? `[${adminHost}]` : adminHost
  return { url: `http://${host}:${port}`, close }
}

async function answer(
  { method, url, headers }: IncomingMessage,
  isForThisMachine: boolean,
  sources: AdminSources,
): Promise<Answer> {
  // Prevents DNS rebinding: if an attacker's host name resolves to this machine, `Host` still contains that name.
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
  // Any response means that the process is alive.
  '/live': () => json(200, { live: true }),
  // Damage and replication status are only informational: the rest of the world can still be read.
  async '/ready'({ readiness, damaged, replica, cluster }) {
    const [{ reasons, parts }, lost] = await Promise.all([readiness(), damaged()])
    return ready(reasons, {
      parts,
      ...(lost.length > 0 && { damaged: lost }),
      ...(replica && { replica: replica() }),
      ...(cluster && { cluster: cluster() }),
    })
  },
  ...Object.fromEntries(
    PARTS.map((part) => [
      `/ready/${part}`,
      async ({ readiness }: AdminSources) => ready((await readiness()).parts[part]),
    ]),
  ),
  async '/metrics'({ snapshots }) {
    // Loaded on demand, because it is slow to load.
    const { METRICS_TYPE, metricsText } = await import('./metrics.ts')
    return { status: 200, type: METRICS_TYPE, text: await metricsText(await snapshots()) }
  },
  '/config': ({ config }) => json(200, { settings: config() }),
}

function ready(reasons: readonly Reason[], more: object = {}): Answer {
  return json(reasons.length === 0 ? 200 : 503, { ready: reasons.length === 0, reasons, ...more })
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json', text: `${JSON.stringify(body)}\n` }
}
