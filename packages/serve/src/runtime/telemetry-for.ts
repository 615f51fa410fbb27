/** Loads `@worldwright/telemetry` only if an environment variable `OTEL_*` asks for it. */
import type { Log } from '../log/log.ts'

/** Traces and metrics of this process. Members of a signal that is not exported are absent. */
export type Telemetry = ReturnType<typeof import('@worldwright/telemetry').createTelemetry>

/** Minimum time between two reports, in milliseconds, since a collector may be down for days. */
const QUIET_MS = 60_000

/** Returns the telemetry of this process, or undefined if none is asked for or the package is not installed. */
export async function telemetryFor(log: Log): Promise<Telemetry | undefined> {
  let quietUntil = 0
  const report = (message: string) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + QUIET_MS
    const text = 'Telemetry failed. Requests are not affected'
    log.fail({ event: 'telemetry', text, error: message.slice(0, 300), count: 1 })
  }
  const asked = { traces: isAsked('TRACES', report), metrics: isAsked('METRICS', report) }
  if (!asked.traces && !asked.metrics) return undefined
  try {
    return (await import('@worldwright/telemetry')).createTelemetry(asked, report)
  } catch (error) {
    report(`OTEL_* needs the package @worldwright/telemetry: install it. ${error}`)
    return undefined
  }
}

function isAsked(signal: string, report: (message: string) => void): boolean {
  const { env } = process
  const exporter = env[`OTEL_${signal}_EXPORTER`]
  const otlp = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_${signal}_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`]
  const protocol = otlp('PROTOCOL') || 'http/protobuf'
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false
  if (exporter === 'none' || !(exporter || otlp('ENDPOINT'))) return false
  if ((exporter || 'otlp') === 'otlp' && protocol === 'http/protobuf') return true
  report(`OTEL_*: only otlp with http/protobuf is supported, not ${exporter || 'otlp'} with ${protocol}.`)
  return false
}
