/**
 * Injects faults into worlds and judges the results: `npm run chaos [-- --short] [--minutes N] [NAME…]`. Prints one line per
 * fault with its verdict and figure. Exits with 1 if a fault failed. Reports faults that this machine cannot run as not run.
 */
import { parseArgs } from 'node:util'
import type { Fault, Finding } from './fault.ts'

/** All faults by name, in the order in which they run. */
const FAULTS: Readonly<Record<string, () => Promise<Fault>>> = {
  'kill-imports': async () => (await import('./kill-imports.ts')).killImports,
  'kill-processes': async () => (await import('./kill-processes.ts')).killProcesses,
  'kill-calls': async () => (await import('./kill-calls.ts')).killCalls,
  'kill-nodes': async () => (await import('./kill-nodes.ts')).killNodes,
  'paused-nodes': async () => (await import('./paused-nodes.ts')).pausedNodes,
  'first-starts': async () => (await import('./first-starts.ts')).firstStarts,
  'rolling-upgrade': async () => (await import('./rolling-upgrade.ts')).rollingUpgrade,
  'hop-feeds': async () => (await import('./hop-feeds.ts')).hopFeeds,
  failover: async () => (await import('./failover.ts')).failover,
  'failover-bulk': async () => (await import('./failover-bulk.ts')).failoverBulk,
  'kill-shards': async () => (await import('./kill-shards.ts')).killShards,
  'power-cut': async () => (await import('./power-cut.ts')).powerCut,
  'kill-followed': async () => (await import('./kill-followed.ts')).killFollowed,
  'damaged-index': async () => (await import('./damaged-index.ts')).damagedIndex,
  'failing-calls': async () => (await import('./failing-calls.ts')).failingCalls,
  'damaged-files': async () => (await import('./damaged-files.ts')).damagedFiles,
  'broken-disk': async () => (await import('./broken-disk.ts')).brokenDisk,
  'overload-questions': async () => (await import('./overload.ts')).overloadQuestions,
  'overload-searches': async () => (await import('./overload.ts')).overloadSearches,
  'overload-lists': async () => (await import('./overload.ts')).overloadLists,
  'overload-connections': async () => (await import('./overload.ts')).overloadConnections,
  'overload-new-lists': async () => (await import('./overload.ts')).overloadNewLists,
  'overload-new-connections': async () => (await import('./overload.ts')).overloadNewConnections,
  'overload-writes': async () => (await import('./overload.ts')).overloadWrites,
  'idle-connections': async () => (await import('./connections.ts')).idleConnections,
  'slow-connections': async () => (await import('./connections.ts')).slowConnections,
  'event-streams': async () => (await import('./event-streams.ts')).eventStreams,
  'follow-questions': async () => (await import('./follow-questions.ts')).followQuestions,
  renewals: async () => (await import('./connections.ts')).renewals,
  'huge-bodies': async () => (await import('./connections.ts')).hugeBodies,
  standstills: async () => (await import('./standstills.ts')).standstills,
  'mixed-load': async () => (await import('./mixed-load.ts')).mixedLoad,
  'clock-jumps': async () => (await import('./clock-jumps.ts')).clockJumps,
  'worst-groups': async () => (await import('./worst-groups.ts')).worstGroups,
  'fuzzed-requests': async () => (await import('./fuzzed-requests.ts')).fuzzedRequests,
  backups: async () => (await import('./backups.ts')).backups,
}

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false }, minutes: { type: 'string' } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(FAULTS)
const unknown = names.filter((name) => !Object.hasOwn(FAULTS, name))
if (unknown.length > 0)
  throw new Error(`There is no fault ${unknown.join(', ')}. There are: ${Object.keys(FAULTS).join(', ')}.`)

const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
if (minutes !== undefined && !(minutes > 0)) throw new Error('--minutes takes a number above 0.')

const width = Math.max(...names.map((name) => name.length))
let failed = 0
for (const name of names) {
  const began = performance.now()
  const { passed, figure } = await found(name)
  if (passed === false) failed += 1
  const verdict = passed === undefined ? '-     ' : passed ? 'passed' : 'FAILED'
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  process.stdout.write(`${verdict} ${name.padEnd(width)}  ${figure} (${seconds} s)\n`)
}
process.exitCode = failed > 0 ? 1 : 0

/** Runs a fault. A fault that throws has failed. */
async function found(name: string): Promise<Finding> {
  try {
    const fault = await (FAULTS[name] as () => Promise<Fault>)()
    return await fault({ short: values.short, minutes })
  } catch (error) {
    return { passed: false, figure: `ended with ${error instanceof Error ? error.stack : error}` }
  }
}
