/** Serves metrics on loopback: they are for the operator alone. */
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
 * Serves what the snapshots of all processes add up to at `/metrics`, on a port of 127.0.0.1; 0 picks a free one.
 * @throws ListenFault
 */
export async function serveMetrics(
  snapshots: () => Promise<readonly Snapshot[]>,
  port: number,
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    // DNS rebinding: a stranger's page whose host name resolves to this machine asks by that name.
    if (!LOOPBACK.test(request.headers.host ?? '')) {
      response.writeHead(421).end()
      return
    }
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
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
