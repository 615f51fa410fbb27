/** Loads the code for metrics only where a world keeps any: its start is slow. */
import type { Settings } from '../open/settings.ts'
import type { Metrics } from './metrics.ts'

/** The metrics of this process; undefined if the settings ask for none. */
export async function metricsFor({ adminPort }: Settings): Promise<Metrics | undefined> {
  if (adminPort === undefined) return undefined
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics()
}
