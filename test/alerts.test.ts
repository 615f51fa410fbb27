import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryStore } from '@worldwright/core/store'
import { parse } from 'yaml'
import { createMetrics, metricsText } from '../packages/serve/src/runtime/metrics.ts'
import { isCommand } from './foreign-worlds.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const ALERTS = join(ROOT, 'deploy/alerts.yaml')

interface Rule {
  readonly alert: string
  readonly expr: string
}

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

function rules(): Rule[] {
  return parse(readFileSync(ALERTS, 'utf8')).groups.flatMap((group: { rules: Rule[] }) => group.rules)
}

function dashboard(): { panels: Panel[]; templating: { list: { query: unknown }[] } } {
  return JSON.parse(readFileSync(join(ROOT, 'deploy/dashboard.json'), 'utf8'))
}

/** Returns all metrics of a server, as it prints them: each name with its labels. */
async function served(): Promise<Map<string, Set<string>>> {
  const metrics = createMetrics()
  const store = metrics.watchStore(createMemoryStore())
  metrics.watchCache(() => ({ hits: 1, misses: 1, bytes: 1, entries: 1 }))
  const handler = { revision: async () => 'r' }
  metrics.watchWorld(store, () => ({ id: 'urn:example:sol', handler }) as never, 'http://127.0.0.1')
  metrics.watchLag(() => ({ currentAt: Date.now(), isReady: true, isCurrent: true }) as never)
  metrics.watchDatabase(() => ({ currentAt: Date.now() }))
  metrics.watchCluster(() => ({ currentAt: Date.now(), lost: 'no shards' }))
  const request = { method: 'POST', target: '/', headers: {} }
  metrics.observe({ request, route: '/', action: 'wp:discover', method: 'POST', status: 200, ms: 1 })
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  await store.find({ text: 'io', limit: 1, budgetMs: 1_000 })
  const text = await metricsText([await metrics.snapshot()])
  const names = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+) /gm)) names.set(name, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = names.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    names.set(name, known)
  }
  return names
}

/** Labels that Prometheus adds to each metric that it scrapes. */
const ADDED = ['instance', 'job']

/** Returns the names and labels in an expression that the server does not have. */
function unknownIn(expression: string, metrics: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = [...expression.matchAll(/\b(?:world|worldwright|process|nodejs)_\w+/g)].map(([name]) => name)
  const labels = [
    ...[...expression.matchAll(/(\w+)\s*=~?"/g)].map(([, label = '']) => label),
    ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
  ]
  const known = new Set(names.flatMap((name) => [...(metrics.get(name) ?? [])]))
  return [
    ...names.filter((name) => !metrics.has(name)),
    ...labels.filter((label) => !known.has(label) && !ADDED.includes(label)),
    ...(names.length === 0 && !expression.startsWith('up{') ? [expression] : []),
  ]
}

test('each metric and label of the alert rules and the dashboard is one that the server prints', async () => {
  const metrics = await served()
  const { panels, templating } = dashboard()
  const targets = panels.flatMap((panel) => panel.targets)
  const expressions = [...rules(), ...targets].map(({ expr }) => expr)
  assert.ok(expressions.length > 20)
  for (const expression of expressions) assert.deepEqual(unknownIn(expression, metrics), [], expression)
  assert.ok(JSON.stringify(templating).includes('label_values(world_info, instance)'))
  for (const { expr, legendFormat } of targets)
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      assert.ok(expr.includes(label) || label === 'instance', legendFormat)
  assert.deepEqual(unknownIn('rate(world_requests_total{kind="a"}[5m])', metrics), [
    'world_requests_total',
    'kind',
  ])
})

test('each metric of the server named in the guide is one that it prints', async () => {
  const metrics = await served()
  const guide = readFileSync(join(ROOT, 'docs/guides/operate.md'), 'utf8')
  const named = [...guide.matchAll(/^\| `(world\w+)`/gm)].map(([, name = '']) => name)
  assert.ok(named.length > 8)
  assert.deepEqual(
    named.filter((name) => !metrics.has(name)),
    [],
  )
})

test('Prometheus accepts the alert rules, and each says what happens', (t) => {
  for (const { alert, ...rule } of rules()) {
    const { annotations, labels } = rule as unknown as { annotations: object; labels: { severity: string } }
    assert.deepEqual(
      [Object.keys(annotations), ['page', 'ticket'].includes(labels.severity)],
      [['summary'], true],
      alert,
    )
  }
  if (!isPresentOrSkips(t, isCommand('promtool'), 'promtool')) return
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
})
