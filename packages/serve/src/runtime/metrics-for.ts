/** Loads the code for metrics only if a world keeps any: it is slow to load. */
import type { Settings } from '../open/settings.ts'
import type { Metrics } from './metrics.ts'

/** Returns the metrics of this process; undefined if the settings ask for none. */
export async function metricsFor({ adminPort }: Settings): Promise<Metrics | undefined> {
  if (adminPort === undefined) return undefined
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics()
}
