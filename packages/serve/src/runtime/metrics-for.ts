import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'
import type { Metrics } from './metrics.ts'
import { telemetryFor } from './telemetry-for.ts'

/** Returns the metrics of this process, or undefined if nothing reports them: their code is slow to load. */
export async function metricsFor({ adminPort }: Settings, log: Log): Promise<Metrics | undefined> {
  const telemetry = await telemetryFor(log)
  if (adminPort === undefined && !telemetry) return undefined
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics(telemetry)
}
