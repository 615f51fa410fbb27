/** Loads the code for metrics only where a world keeps any: its start is slow. */
import type { Settings } from '../open/settings.ts'
import { tryPort } from './listen-at.ts'
import type { Metrics, Snapshot } from './metrics.ts'
import type { MetricsServer } from './metrics-server.ts'

/** Checks, before work is done for nothing, that nobody uses the ports. @throws ListenFault */
export async function tryPorts({ host, port, metricsPort }: Settings): Promise<void> {
  await tryPort(host, port, '--port')
  if (metricsPort === undefined) return
  const { METRICS_HOST } = await import('./metrics-server.ts')
  await tryPort(METRICS_HOST, metricsPort, '--metrics-port')
}

/** Serves metrics where the settings ask for them. `ready`: whether the world can be read. @throws ListenFault */
export async function metricsServerFor(
  { metricsPort }: Settings,
  snapshots: () => Promise<readonly Snapshot[]>,
  ready?: () => boolean,
): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return undefined
  const { serveMetrics } = await import('./metrics-server.ts')
  return serveMetrics(snapshots, metricsPort, ready)
}

/** The metrics of this process; undefined where the settings ask for none. */
export async function metricsFor({ metricsPort }: Settings): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics()
}
