/**
 * Prometheus metrics of a world. Each process keeps its own, and the primary aggregates them. A worker that exits normally
 * sends its counts to the primary.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { Observation, WorldHandler } from '@worldwright/core'
import type { ReplicaState, Store, WriteResult } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus, statusOfNode } from '@worldwright/extensions/replica'
import type { ValidatedWorld } from './compose-world.ts'
import type { Telemetry } from './telemetry-for.ts'

/** The metrics of one process. */
export interface Metrics {
  /** Export by OpenTelemetry, if it is asked for. */
  readonly telemetry?: Telemetry | undefined
  /** Counts a request. */
  readonly observe: (seen: Observation) => void
  /** Reports the statistics of the response cache. */
  watchCache(statistics: WorldHandler['cacheStatistics']): void
  /** Wraps the primary's store so that writes and searches are counted. */
  watchStore(store: Store): Store
  /** Reports the number of entities in the store, and the identity of the world. */
  watchWorld(store: Store, world: () => ValidatedWorld, url: string): void
  /** Reports the replication lag of this world. */
  watchLag(status: () => ReplicaStatus): void
  /** Reports whether a cluster node can reach its database. */
  watchDatabase(state: () => ReplicaState): void
  /** Reports the lag of the index in a cluster, and why it is not fed. */
  watchCluster(state: () => ReplicaState): void
  /** Returns all metrics of this process. */
  snapshot(): Promise<Snapshot>
  /** Returns the counters and histograms of this process, without gauges. */
  counts(): Promise<Snapshot>
}

/** Metrics as plain data, for another process. */
export type Snapshot = readonly object[]

/** Media type of the text returned by `metricsText`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Formats the aggregated metrics of several processes as text. */
export async function metricsText(snapshots: readonly Snapshot[]): Promise<string> {
  return Registry.aggregate([...snapshots]).metrics()
}

/** Sums the counts of several processes. */
export async function addedUp(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  return Registry.aggregate([...snapshots]).getMetricsAsJSON()
}

/** Histogram bucket bounds, in seconds, from cached responses to timeouts. */
const BUCKETS = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** Creates the metrics of this process, which `telemetry` exports. */
export function createMetrics(telemetry?: Telemetry): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const registers = [register]
  const requests = new Histogram({
    name: 'world_request_duration_seconds',
    help: 'Requests by route, action, method and class of status: how many, and how long until the answer could be sent.',
    labelNames: ['route', 'action', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  })

  telemetry?.watchMetrics?.(() => register.getMetricsAsJSON())
  return {
    telemetry,
    observe(seen) {
      const { route, action, method, status, ms } = seen
      const labels = { route, ...(action && { action }), method, status: `${Math.floor(status / 100)}xx` }
      requests.observe(labels, ms / 1_000)
      telemetry?.observe?.(seen)
    },

    watchCache: (statistics) => watchCache(statistics, registers),

    watchStore: (store) => watchedStore(store, registers),

    watchWorld(store, world, url) {
      new Gauge({
        name: 'world_entities',
        help: 'Entities of each type.',
        labelNames: ['type'],
        registers,
        async collect() {
          this.reset()
          for (const [type, { count }] of await store.types()) this.set({ type }, count)
        },
      })
      new Gauge({
        name: 'world_info',
        help: 'The world, the revision of its discovery document, and the version of its store.',
        labelNames: ['id', 'revision', 'version'],
        registers,
        async collect() {
          this.reset()
          const { id, handler } = world()
          const revision = await handler.revision(url)
          this.set({ id, revision, version: await store.version() }, 1)
        },
      })
    },

    watchLag(status) {
      const help = 'How long ago this replica was last known to equal its upstream. Absent until it was once.'
      gauge(registers, 'worldwright_replica_lag_seconds', help, () => lagOf(status()))
    },

    watchDatabase(state) {
      const help = 'Whether this node reaches the database of its store: 1, or 0.'
      gauge(registers, 'worldwright_database_up', help, () => (state().lost === undefined ? 1 : 0))
    },

    watchCluster: (state) => watchCluster(state, registers),

    snapshot: () => register.getMetricsAsJSON(),
    counts: async () =>
      (await register.getMetricsAsJSON()).filter(({ type }) => /^(?:counter|histogram)$/i.test(String(type))),
  }
}

/** Adds a gauge, which is absent while its value is undefined. */
function gauge(registers: Registry[], name: string, help: string, value: () => number | undefined): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      const now = value()
      if (now === undefined) this.remove()
      else this.set(now)
    },
  })
}

function lagOf(status: ReplicaStatus): number | undefined {
  return status.currentAt > 0 ? lagSeconds(status, Date.now()) : undefined
}

function watchCluster(state: () => ReplicaState, registers: Registry[]): void {
  const help =
    'How long ago the index in the cluster was last known to have everything. Absent until it was once.'
  gauge(registers, 'worldwright_search_lag_seconds', help, () => lagOf(statusOfNode(state())))
  new Gauge({
    name: 'worldwright_search_failing',
    help: 'Present while the index in the cluster cannot be fed, with the last error.',
    labelNames: ['error'],
    registers,
    collect() {
      this.reset()
      const { lost } = state()
      if (lost !== undefined) this.set({ error: lost }, 1)
    },
  })
}

function watchCache(statistics: WorldHandler['cacheStatistics'], registers: Registry[]): void {
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  counter('world_response_cache_hits_total', 'Answers that were ready.', () => statistics().hits)
  counter('world_response_cache_misses_total', 'Answers that had to be made.', () => statistics().misses)
  gauge(registers, 'world_response_cache_bytes', 'Bytes of ready answers.', () => statistics().bytes)
  gauge(registers, 'world_response_cache_entries', 'Targets with ready answers.', () => statistics().entries)
}

function watchedStore(store: Store, registers: Registry[]): Store {
  const timed = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: ['outcome'], buckets: BUCKETS, registers })
  const searches = timed(
    'world_search_duration_seconds',
    'Searches: complete, partial where their time was over, or failed.',
  )
  const writes = timed(
    'world_write_duration_seconds',
    'Writes: done, refused by a precondition, or failed. Imports are not among them.',
  )
  const entities = new Counter({
    name: 'world_written_entities_total',
    help: 'Entities that writes were about, by what became of them.',
    labelNames: ['change'],
    registers,
  })

  async function measured<T>(
    histogram: Histogram<'outcome'>,
    work: () => T | Promise<T>,
    outcomeOf: (result: T) => string,
  ): Promise<T> {
    const end = histogram.startTimer()
    try {
      const result = await work()
      end({ outcome: outcomeOf(result) })
      return result
    } catch (error) {
      end({ outcome: 'failed' })
      throw error
    }
  }

  function outcomeOfWrite(result: WriteResult): string {
    if (!result.done) return 'refused'
    for (const { change } of result.outcomes) entities.inc({ change })
    return 'done'
  }

  return {
    ...store,
    // Do not count the searches that check readiness.
    find: (query) =>
      query.limit === 0 && query.client === undefined
        ? store.find(query)
        : measured(
            searches,
            () => store.find(query),
            ({ partial }) => (partial ? 'partial' : 'complete'),
          ),
    // Do not count a write without operations, such as recording the last use of a token.
    write: (operations, options) =>
      operations.length === 0
        ? store.write(operations, options)
        : measured(writes, () => store.write(operations, options), outcomeOfWrite),
  }
}
