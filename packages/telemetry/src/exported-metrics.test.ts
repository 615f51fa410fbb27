import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DataPointType } from '@opentelemetry/sdk-metrics'
import { exportedMetrics } from './exported-metrics.ts'

/** Converts metrics as the Prometheus client represents them. */
async function converted(...metrics: object[]) {
  const { resourceMetrics } = await exportedMetrics(async () => metrics).collect()
  return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
}

test('buckets of a histogram lose the counts of smaller ones, for each set of labels', async () => {
  const rows = (route: string, ...counts: number[]) => [
    ...[0.1, 1, '+Inf'].map((le, at) => ({
      metricName: 'x_seconds_bucket',
      labels: { le, route },
      value: counts[at],
    })),
    { metricName: 'x_seconds_sum', labels: { route }, value: 2.5 },
    { metricName: 'x_seconds_count', labels: { route }, value: counts[2] },
  ]
  const values = [...rows('/a', 1, 3, 4), ...rows('/b', 0, 0, 2)]
  const [metric] = await converted({ name: 'x_seconds', help: 'Times.', type: 'histogram', values })
  assert.equal(metric?.dataPointType, DataPointType.HISTOGRAM)
  assert.equal(metric.descriptor.unit, 's')
  assert.deepEqual(
    metric.dataPoints.map(({ attributes, value }) => [attributes, value]),
    [
      [{ route: '/a' }, { buckets: { boundaries: [0.1, 1], counts: [1, 2, 1] }, sum: 2.5, count: 4 }],
      [{ route: '/b' }, { buckets: { boundaries: [0.1, 1], counts: [0, 0, 2] }, sum: 2.5, count: 2 }],
    ],
  )
})

test('counters are sums, gauges are gauges, and summaries are left out', async () => {
  const values = [{ labels: { change: 'created' }, value: 3 }]
  const metrics = await converted(
    { name: 'written_total', help: 'Written.', type: 'counter', values },
    { name: 'heap_bytes', help: 'Heap.', type: 'gauge', values: [{ labels: {}, value: 5 }] },
    { name: 'lag_summary', help: 'Lag.', type: 'summary', values },
  )
  assert.deepEqual(
    metrics.map(({ descriptor: { name, unit }, dataPointType, dataPoints }) => [
      [name, unit, dataPointType],
      dataPoints.map(({ attributes, value }) => [attributes, value]),
    ]),
    [
      [['written_total', '', DataPointType.SUM], [[{ change: 'created' }, 3]]],
      [['heap_bytes', 'By', DataPointType.GAUGE], [[{}, 5]]],
    ],
  )
})
