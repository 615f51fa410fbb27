/** `@worldwright/telemetry`: exports traces and metrics by OTLP over HTTP, as the variables `OTEL_*` configure it. */
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { getNumberFromEnv, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import * as resources from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import * as sdk from '@opentelemetry/sdk-trace'
import type { Store } from '@worldwright/core/store'
import { exportedMetrics } from './exported-metrics.ts'
import { batchSpans, observeRequest, requestSpans, storeSpans } from './spans.ts'

/** Time limit for the last export, in milliseconds. */
const LAST_MS = 2_000

/** Resource of this process. Each worker is an instance of its own, or their counters would overwrite each other. */
const resource = resources
  .resourceFromAttributes({ 'service.name': 'worldwright' })
  .merge(
    resources.detectResources({ detectors: [resources.envDetector, resources.serviceInstanceIdDetector] }),
  )

/** Starts to export this process. Failures are passed to `report` and affect no request. See `Telemetry` of `serve`. */
export function createTelemetry(
  asked: { traces: boolean; metrics: boolean },
  report: (message: string) => void,
) {
  const warn = (...message: unknown[]) => report(message.join(' '))
  const logger = { error: warn, warn, info() {}, debug() {}, verbose() {} }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  setGlobalErrorHandler((error) => report(error instanceof Error ? error.message : String(error)))
  const providers: { shutdown(): Promise<void> }[] = []
  return {
    ...(asked.traces && tracing(providers)),
    ...(asked.metrics && {
      watchMetrics(snapshot: () => Promise<readonly object[]>) {
        const reader = new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter(),
          exportIntervalMillis: getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') || 60_000,
          metricProducers: [exportedMetrics(snapshot)],
        })
        providers.push(new MeterProvider({ resource, readers: [reader] }))
      },
    }),
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())
      await Promise.race([Promise.allSettled(providers.map((provider) => provider.shutdown())), late])
      for (const part of [trace, context, diag]) part.disable()
    },
  }
}

function tracing(providers: { shutdown(): Promise<void> }[]) {
  const spanProcessors = [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })]
  const provider = new sdk.TracerProvider({ resource, sampler: sampler(), spanProcessors })
  providers.push(provider)
  // Global, so that the spans of an operator's actions join the trace.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  const tracer = trace.getTracer('worldwright')
  batchSpans(tracer)
  const spans = (store: Store) => storeSpans(tracer, store)
  return { extension: requestSpans(tracer), observe: observeRequest, spans }
}

/** Returns the configured sampler. By default every trace is recorded, unless the caller of a request does not record it. */
function sampler(name = process.env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'): sdk.Sampler {
  if (!/^(?:parentbased_)?(?:always_on|always_off|traceidratio)$/.test(name))
    diag.warn(`OTEL_TRACES_SAMPLER=${name} is not supported: all traces are recorded.`)
  const ratio = name.endsWith('ratio') ? (getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1) : 1
  const root = new sdk.TraceIdRatioBasedSampler(name.endsWith('always_off') ? 0 : ratio)
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}
