import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { environmentName, SETTINGS } from '@worldwright/publish/settings'
import { parse } from 'yaml'
import { serve } from './command.ts'
import { isCommand } from './foreign-worlds.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const DEPLOY = join(ROOT, 'deploy')
const UNITS = ['world.service', 'world-backup.service', 'world-backup.timer']
const WORLD = '/opt/world/node_modules/.bin/world'

function file(name: string): string {
  return readFileSync(join(DEPLOY, name), 'utf8')
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'deploy-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

test('systemd accepts the units and rates their exposure low', (t) => {
  if (!isPresentOrSkips(t, isCommand('systemd-analyze'), 'systemd')) return
  const at = folder(t)
  // The command only has to exist here; other tests check its behaviour.
  for (const name of UNITS)
    writeFileSync(join(at, name), file(`systemd/${name}`).replaceAll(WORLD, process.execPath))
  const paths = UNITS.map((name) => join(at, name))
  const verified = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' })
  assert.deepEqual([verified.status, verified.stderr], [0, ''])
  for (const path of paths.filter((name) => name.endsWith('.service'))) {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', path], {
      encoding: 'utf8',
    })
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
    assert.ok(exposure <= 1.5, `${path}: ${stdout.trimEnd().split('\n').at(-1)}`)
  }
})

test('every variable in the deployment files is a setting', () => {
  const settings = new Set(SETTINGS.map(({ name }) => environmentName(name)))
  const ofCompose = ['WORLD_DOMAIN', 'WORLD_UPSTREAM', 'WORLD_FOLDER']
  const names = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(
      (entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').match(/\bWORLD_[A-Z_]+/g) ?? [],
    )
  assert.ok(names.length > 10)
  assert.deepEqual(
    [...new Set(names)].filter((name) => !settings.has(name) && !ofCompose.includes(name)),
    [],
  )
})

/** Returns the instructions in the last stage of the Dockerfile, by name. */
function lastStage(): Map<string, string> {
  const joined = file('Dockerfile').replace(/\\\n\s*/g, '')
  const stage = joined.slice(joined.lastIndexOf('\nFROM '))
  return new Map([...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', said = '']) => [name, said]))
}

test('the image runs unprivileged, has a health check, and forwards signals', () => {
  const stage = lastStage()
  assert.match(stage.get('USER') ?? '', /^[1-9]\d*:[1-9]\d*$/)
  assert.match(stage.get('HEALTHCHECK') ?? '', /9464\/ready/)
  assert.match(stage.get('ENV') ?? '', /WORLD_ADMIN_PORT=9464/)
  for (const name of ['ENTRYPOINT', 'CMD']) assert.ok(Array.isArray(JSON.parse(stage.get(name) ?? '')), name)
  // The image runs no command while it is built, so it is identical on every platform.
  assert.equal(stage.get('RUN'), undefined)
  for (const from of file('Dockerfile').match(/^FROM .*$/gm) ?? []) assert.match(from, /node:24-/)
})

test('hadolint reports nothing for the Dockerfile', (t) => {
  if (!isPresentOrSkips(t, isCommand('hadolint'), 'hadolint')) return
  const { status, stdout } = spawnSync('hadolint', [join(DEPLOY, 'Dockerfile')], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, ''])
})

test('the Compose file exposes only the proxy, and the world can write only to its volume', () => {
  const { services, volumes, networks } = parse(file('compose/compose.yaml'))
  const { world, proxy } = services
  assert.deepEqual([world.ports, world.read_only, world.cap_drop], [undefined, true, ['ALL']])
  assert.ok(proxy.ports.includes('443:443'))
  assert.deepEqual([networks.inside.internal, world.networks], [true, ['inside']])
  assert.equal(world.environment.WORLD_TRUSTED_PROXIES, networks.inside.ipam.config[0].subnet)
  for (const mount of [...world.volumes, ...proxy.volumes] as string[]) {
    const [source = '', target] = mount.replace(/^\$\{\w+:-(.*?)\}/, '$1').split(':')
    if (source.startsWith('.')) assert.ok(existsSync(join(DEPLOY, 'compose', source)), mount)
    else assert.ok(source in volumes && target, mount)
  }
  const { context, dockerfile } = world.build
  assert.ok(existsSync(join(DEPLOY, 'compose', context, dockerfile)))
})

// biome-ignore lint/suspicious/noExplicitAny: manifests have no types here.
type Manifest = any

test('the action checks a world and writes a report and a badge', async (t) => {
  const at = folder(t)
  const { origin } = await serve(
    t,
    join(ROOT, 'examples/solar-system'),
    '--store',
    `sqlite:${join(at, 'sol.db')}`,
  )
  const main = join(ROOT, 'packages/cli/src/main.ts')
  // Stands in for npx, as the package is not published: npx --yes --package NAME -- world ARGUMENTS.
  writeFileSync(
    join(at, 'npx'),
    `#!/bin/sh\nshift 5\nexec "${process.execPath}" --conditions=@worldwright/source "${main}" "$@"\n`,
  )
  chmodSync(join(at, 'npx'), 0o755)
  const action = join(ROOT, '.github/actions/check')
  const { inputs } = parse(readFileSync(join(action, 'action.yml'), 'utf8'))
  const [junit, badge] = [join(at, inputs.junit.default), join(at, inputs.badge.default)]
  const check = (world: string) => {
    const { status } = spawnSync(join(action, 'check.sh'), {
      env: {
        PATH: `${at}:${dirname(process.execPath)}:${process.env['PATH']}`,
        ORIGIN: world,
        ARGUMENTS: '--only L1-discovery-1.*',
        VERSION: '0.1.0',
        JUNIT: junit,
        BADGE: badge,
      },
    })
    return { status, badge: JSON.parse(readFileSync(badge, 'utf8')) }
  }
  const good = check(origin)
  assert.deepEqual([good.status, good.badge.color], [0, 'brightgreen'])
  assert.match(good.badge.message, /^[1-9]\d* passed$/)
  assert.match(readFileSync(junit, 'utf8'), /<testcase /)
  const bad = check(`${origin}/elsewhere`)
  assert.notEqual(bad.status, 0)
  assert.notEqual(bad.badge.color, 'brightgreen')
})

test('CI runs the commands in README and CONTRIBUTING on each push', () => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8'))
  const commands = (job: { steps: { run?: string }[] }) => job.steps.flatMap(({ run }) => run ?? [])
  assert.deepEqual(commands(jobs.test), ['npm ci', 'npm run check', 'npm test'])
  assert.deepEqual(commands(jobs.gate), ['.ci/run'])
  const gate = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  for (const command of ['npm run check', 'npm test']) assert.match(gate, new RegExp(`^${command}$`, 'm'))
})

test('a release publishes packages, a signed image and its release notes', (t) => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'))
  const steps = (job: string): Manifest[] => jobs[job].steps
  assert.ok(steps('publish').some(({ run }) => run?.includes('node .ci/pack.ts "$GITHUB_SERVER_URL/')))
  assert.ok(steps('publish').some(({ run }) => run?.includes('npm publish "./$archive" --provenance')))
  const build = steps('image').find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  assert.deepEqual(
    [build.with.platforms, build.with.sbom, build.with.provenance],
    ['linux/amd64,linux/arm64', true, 'mode=max'],
  )
  assert.ok(existsSync(join(ROOT, build.with.file)))
  assert.ok(steps('image').some(({ run }) => run?.startsWith('cosign sign')))
  for (const job of ['publish', 'image']) assert.equal(jobs[job].needs, 'gate')
  const section = steps('notes').find(({ run }) => run?.includes('awk')).run as string
  const at = folder(t)
  writeFileSync(join(at, 'CHANGELOG.md'), '# Log\n\n## 0.2.0\n\nNew.\n\n## 0.1.0 (2026)\n\n- First.\n')
  const cut = spawnSync('sh', ['-ec', section], {
    cwd: at,
    env: { ...process.env, GITHUB_REF_NAME: 'v0.1.0' },
  })
  assert.equal(cut.status, 0)
  assert.equal(readFileSync(join(at, 'notes.md'), 'utf8').trim(), '- First.')
})
