/** Serves metrics on loopback, and whether the world can be read: they are for the operator alone. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenFault } from './listen-at.ts'
import { METRICS_TYPE, metricsText, type Snapshot } from './metrics.ts'

/** Where metrics are served: on this machine alone. */
export const METRICS_HOST = '127.0.0.1'
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

/** An open server that answers with the metrics of a world. */
export interface MetricsServer {
  /** Where the metrics are. */
  readonly url: string
  close(): void
}

/**
 * Serves what the snapshots of all processes add up to at `/metrics`, on a port of 127.0.0.1; 0 picks a free one. At
 * `/ready` it answers 200, or 503 as long as the world cannot be read.
 * @throws ListenFault
 */
export async function serveMetrics(
  snapshots: () => Promise<readonly Snapshot[]>,
  port: number,
  ready: () => boolean = () => true,
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    // DNS rebinding: a stranger's page whose host name resolves to this machine asks by that name.
    if (!LOOPBACK.test(request.headers.host ?? '')) {
      response.writeHead(421).end()
      return
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.url === '/ready' && isRead) {
      const isReady = ready()
      response.writeHead(isReady ? 200 : 503, { 'content-type': 'text/plain' })
      response.end(isReady ? 'ready\n' : 'not ready\n')
      return
    }
    if (request.url !== '/metrics' || !isRead) {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await metricsText(await snapshots())
      response.writeHead(200, { 'content-type': METRICS_TYPE }).end(text)
    } catch {
      response.writeHead(503).end()
    }
  })
  try {
    server.listen(port, METRICS_HOST)
    await once(server, 'listening')
  } catch (error) {
    throw listenFault(error, METRICS_HOST, port, '--metrics-port')
  }
  server.unref()
  return {
    url: `http://${METRICS_HOST}:${(server.address() as AddressInfo).port}/metrics`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
