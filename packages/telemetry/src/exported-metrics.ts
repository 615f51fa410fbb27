/** Metrics for OpenTelemetry, made of those that the process keeps for Prometheus, so that nothing is counted twice. */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import { emptyResource } from '@opentelemetry/resources'
import * as sdk from '@opentelemetry/sdk-metrics'

/** A metric as the Prometheus client represents it. In histograms, `metricName` has a suffix such as `_bucket`. */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly { labels: Attributes; value: number; metricName?: string }[]
}

/** Start time of the counters of this process. */
const startTime = millisToHrTime(performance.timeOrigin)

/** Produces the metrics that `snapshot` returns. */
export function exportedMetrics(snapshot: () => Promise<readonly object[]>): sdk.MetricProducer {
  return {
    async collect() {
      const endTime = millisToHrTime(Date.now())
      // A summary has the numbers of the histogram beside it.
      const all = ((await snapshot()) as readonly Metric[]).filter(({ type }) => type !== 'summary')
      const metrics = all.map((metric) => dataOf(metric, endTime))
      const scopeMetrics = [{ scope: { name: 'worldwright' }, metrics }]
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] }
    },
  }
}

function dataOf({ name, help, type, values }: Metric, endTime: HrTime): sdk.MetricData {
  const unit = name.includes('_seconds') ? 's' : name.includes('_bytes') ? 'By' : ''
  const descriptor = { name, description: help, unit, valueType: ValueType.DOUBLE }
  const base = { descriptor, aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE }
  const { SUM, GAUGE, HISTOGRAM } = sdk.DataPointType
  const point = <T>(attributes: Attributes, value: T) => ({ startTime, endTime, attributes, value })
  if (type === 'histogram')
    return { ...base, dataPointType: HISTOGRAM, dataPoints: histograms(values).map((one) => point(...one)) }
  const dataPoints = values.map(({ labels, value }) => point(labels, value))
  if (type === 'counter') return { ...base, dataPointType: SUM, isMonotonic: true, dataPoints }
  return { ...base, dataPointType: GAUGE, dataPoints }
}

/** Collects histograms from their samples. Buckets of Prometheus include all smaller ones, those of OpenTelemetry do not. */
function histograms(values: Metric['values']): [Attributes, sdk.Histogram][] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...groups].map(([labels, samples]) => {
    const of = (suffix: string) => samples.filter(({ metricName }) => metricName?.endsWith(suffix))
    const bounds = of('_bucket').map(({ labels }) => Number(labels['le']))
    const upTo = of('_bucket').map(({ value }) => value)
    const counts = upTo.map((value, at) => value - (upTo[at - 1] ?? 0))
    const [sum = 0, count = 0] = [...of('_sum'), ...of('_count')].map(({ value }) => value)
    return [
      JSON.parse(labels),
      { buckets: { boundaries: bounds.filter(Number.isFinite), counts }, sum, count },
    ]
  })
}
