/** Loads the metrics code only if metrics are enabled, because it is slow to load. */
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'
import type { Metrics } from './metrics.ts'
import { telemetryFor } from './telemetry-for.ts'

/** Returns the metrics of this process, or undefined if neither an admin server nor telemetry reports them. */
export async function metricsFor({ adminPort }: Settings, log: Log): Promise<Metrics | undefined> {
  const telemetry = await telemetryFor(log)
  if (adminPort === undefined && !telemetry) return undefined
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics(telemetry)
}
