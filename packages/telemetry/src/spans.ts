/** Spans of requests, of calls to a store, and of the batches that feeders and followers apply. */
import { tracingChannel } from 'node:diagnostics_channel'
import * as otel from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Extension, Observation } from '@worldwright/core'
import type { MaybePromise, Store } from '@worldwright/core/store'

/** Calls of a store that have a span. `version` has none, because every request calls it. */
const CALLS = ['get', 'list', 'find', 'changes', 'write'] as const
/** Diagnostics channels of batches, by the name of their spans. */
const BATCHES = { 'feeder batch': 'worldwright:feed', 'follower batch': 'worldwright:follow' }

interface Batch {
  readonly changes: number
  readonly error?: unknown
}

/** Extension `worldwright:telemetry`: a span per request, which continues the trace of a valid `traceparent`. */
export function requestSpans(tracer: otel.Tracer): Extension {
  const propagator = new W3CTraceContextPropagator()
  return () => ({
    name: 'worldwright:telemetry',
    around: (handle) => (request) => {
      const parent = propagator.extract(otel.ROOT_CONTEXT, request.headers, otel.defaultTextMapGetter)
      const span = tracer.startSpan(request.method, { kind: otel.SpanKind.SERVER }, parent)
      span.setAttribute('http.request.method', request.method)
      const work = () => handle(request)
      return spanned(span, parent, work, ({ status, headers: { 'world-error-code': code } }) => {
        span.setAttribute('http.response.status_code', status)
        if (code !== undefined) span.setAttribute('error.type', code)
        if (status >= 500) span.setStatus({ code: otel.SpanStatusCode.ERROR })
      })
    },
  })
}

/** Adds route and action to the span of the current request, but no path or query, which may hold personal data. */
export function observeRequest({ route, action, method }: Observation): void {
  const span = otel.trace.getActiveSpan()
  if (span === undefined || route === '') return
  span.setAttribute('http.route', route)
  if (action !== undefined) span.setAttribute('world.action', action)
  span.updateName(`${method} ${route}`)
}

/** Wraps a store so that each call on behalf of a request is a span of its trace. Other calls have no span. */
export function storeSpans(tracer: otel.Tracer, store: Store): Store {
  const calls = CALLS.map((call) => {
    const name = call === 'find' ? 'search' : `store ${call}`
    const work = store[call].bind(store) as (...args: unknown[]) => unknown
    const traced = (...args: unknown[]) => {
      const parent = otel.context.active()
      if (otel.trace.getSpan(parent) === undefined) return work(...args)
      return spanned(tracer.startSpan(name, {}, parent), parent, () => work(...args))
    }
    return [call, traced]
  })
  return { ...store, ...Object.fromEntries(calls) }
}

/** Makes a span of each batch that a feeder or a follower of this process applies. */
export function batchSpans(tracer: otel.Tracer): void {
  for (const [name, channel] of Object.entries(BATCHES)) {
    const { start, asyncEnd } = tracingChannel<object, Batch>(channel)
    const spans = new WeakMap<object, otel.Span>()
    start.subscribe((batch) => spans.set(batch as Batch, tracer.startSpan(name)))
    asyncEnd.subscribe((message) => {
      const batch = message as Batch
      const span = spans.get(batch)?.setAttribute('world.changes', batch.changes)
      if (span) endSpan(span, batch.error)
    })
  }
}

/** Runs `work` as a child of `parent`, and ends its span. */
async function spanned<T>(
  span: otel.Span,
  parent: otel.Context,
  work: () => MaybePromise<T>,
  seen?: (result: T) => void,
): Promise<T> {
  try {
    const result = await otel.context.with(otel.trace.setSpan(parent, span), work)
    seen?.(result)
    endSpan(span)
    return result
  } catch (error) {
    endSpan(span, error)
    throw error
  }
}

/** Ends a span, with the code or class of the error, if any. Its message is left out, since it may hold personal data. */
function endSpan(span: otel.Span, error?: unknown): void {
  if (error !== undefined) {
    const { code, name } = Object(error)
    span.setAttribute('error.type', String(code ?? name))
    span.setStatus({ code: otel.SpanStatusCode.ERROR })
  }
  span.end()
}
