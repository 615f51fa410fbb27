import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { createMetrics } from '../packages/serve/src/runtime/metrics.ts'
import { PARTS } from '../packages/serve/src/runtime/readiness.ts'
import { isCommand } from './foreign-worlds.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests have no types here.
type Manifest = any

const FILES = ['kubernetes.yaml', 'kubernetes-postgres.yaml', 'kubernetes-migrate.yaml']

function pathOf(name: string): string {
  return join(ROOT, 'deploy', name)
}

function manifests(name: string): Manifest[] {
  return parseAllDocuments(readFileSync(pathOf(name), 'utf8')).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS()
  })
}

function assertRestricted({ securityContext, containers }: Manifest): void {
  assert.equal(securityContext.runAsNonRoot, true)
  for (const container of containers)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
}

test('kubernetes-validate accepts all manifests, and detects an unknown field', (t) => {
  if (!isPresentOrSkips(t, isCommand('kubernetes-validate'), 'kubernetes-validate')) return
  const validate = (args: string[], input?: string) =>
    spawnSync('kubernetes-validate', ['--strict', ...args], { encoding: 'utf8', input })
  const { status, stdout, stderr } = validate(FILES.map(pathOf))
  assert.equal(status, 0, stdout + stderr)
  const faulty = readFileSync(pathOf('kubernetes-postgres.yaml'), 'utf8').replace(
    'minReplicas',
    'minimumReplicas',
  )
  assert.notEqual(validate(['-'], faulty).status, 0)
})

test('the Kubernetes manifests refer to each other correctly, and all pods are restricted', () => {
  const all = manifests('kubernetes.yaml')
  const sets = all.filter(({ kind }) => kind === 'StatefulSet')
  const services = all.filter(({ kind }) => kind === 'Service')
  const labels = (set: Manifest) => JSON.stringify(set.spec.template.metadata.labels)
  assert.deepEqual(
    sets.map(({ metadata, spec }) => [metadata.name, spec.replicas]),
    [
      ['world-primary', 1],
      ['world-replica', 2],
    ],
  )
  for (const set of sets) {
    const { template, volumeClaimTemplates, selector, serviceName } = set.spec
    assert.equal(JSON.stringify(selector.matchLabels), labels(set))
    assert.ok(services.some(({ metadata }) => metadata.name === serviceName))
    const [container] = template.spec.containers
    const ports = new Set(container.ports.map(({ name }: { name: string }) => name))
    for (const [probe, path] of [
      ['livenessProbe', '/live'],
      ['readinessProbe', '/ready'],
    ] as const) {
      assert.equal(container[probe].httpGet.path, path)
      assert.ok(ports.has(container[probe].httpGet.port))
    }
    const held = [...template.spec.volumes, ...volumeClaimTemplates.map((claim: Manifest) => claim.metadata)]
    for (const { name } of container.volumeMounts)
      assert.ok(
        held.some((volume) => volume.name === name),
        name,
      )
    assertRestricted(template.spec)
    // Requests in progress may take up to half a minute.
    assert.ok(template.spec.terminationGracePeriodSeconds > 40)
  }
  for (const { spec } of services) {
    const set = sets.find((candidate) => labels(candidate) === JSON.stringify(spec.selector))
    const names = set.spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name)
    for (const { targetPort } of spec.ports) assert.ok(names.includes(targetPort))
  }
  const { args } = sets[1].spec.template.spec.containers[0]
  const upstream = services.find(({ metadata }) => metadata.name === 'world-primary')
  assert.deepEqual(args, [
    'serve',
    '--follow',
    `http://${upstream.metadata.name}:${upstream.spec.ports[0].port}`,
  ])
})

test('the manifests of nodes refer to each other, and scale by a metric that the server has', async () => {
  const all = manifests('kubernetes-postgres.yaml')
  const one = (kind: string) => all.find((manifest) => manifest.kind === kind)
  const { metadata, spec } = one('Deployment')
  const [container] = spec.template.spec.containers
  assertRestricted(spec.template.spec)
  const { labels } = spec.template.metadata
  for (const selector of [
    spec.selector.matchLabels,
    one('Service').spec.selector,
    one('PodDisruptionBudget').spec.selector.matchLabels,
    spec.template.spec.topologySpreadConstraints[0].labelSelector.matchLabels,
  ])
    assert.deepEqual(selector, labels)
  assert.deepEqual(container.livenessProbe.httpGet, { path: '/live', port: 'admin' })
  const parts = PARTS.map((part) => `/ready/${part}`)
  assert.ok(parts.includes(container.readinessProbe.httpGet.path))
  const scaler = one('HorizontalPodAutoscaler').spec
  assert.equal(scaler.scaleTargetRef.name, metadata.name)
  assert.equal(spec.replicas, undefined)
  const names = (await createMetrics().snapshot()).map((metric) => (metric as { name: string }).name)
  const pods = scaler.metrics.find(({ type }: Manifest) => type === 'Pods')
  assert.ok(names.includes(pods.pods.metric.name))
})

test('the migration runs the command on the store of the nodes', () => {
  const [job] = manifests('kubernetes-migrate.yaml')
  const [migration] = job.spec.template.spec.containers
  assertRestricted(job.spec.template.spec)
  assert.deepEqual(migration.args, ['migrate', '--no-dump'])
  const node = manifests('kubernetes-postgres.yaml').find(({ kind }) => kind === 'Deployment')
  const storeOf = ({ env }: Manifest) => env.find(({ name }: Manifest) => name === 'WORLD_STORE').valueFrom
  assert.deepEqual(storeOf(migration), storeOf(node.spec.template.spec.containers[0]))
  assert.equal(migration.image, node.spec.template.spec.containers[0].image)
})
