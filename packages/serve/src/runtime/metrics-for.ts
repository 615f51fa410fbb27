/** Loads the metrics code only if metrics are enabled, because it is slow to load. */
import type { Settings } from '../open/settings.ts'
import type { Metrics } from './metrics.ts'

/** Returns the metrics of this process, or undefined if metrics are disabled. */
export async function metricsFor({ adminPort }: Settings): Promise<Metrics | undefined> {
  if (adminPort === undefined) return undefined
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics()
}
