import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { serve, world } from './command.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const run = promisify(execFile)
const TOOLS = join(ROOT, '.ci/openapi')
const BINARIES = join(TOOLS, 'node_modules/.bin')
const SCHEMATHESIS = join(TOOLS, 'venv/bin/st')
/** Time to send generated requests to each world, in seconds. A thorough run takes 300. */
const SECONDS = process.env['OPENAPI_SECONDS'] ?? '30'

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

/** Serves the demo world with these flags. Returns the path of its OpenAPI document, and an admin token. */
async function described(t: TestContext, ...flags: string[]) {
  const folder = await emptyFolder(t)
  const store = `sqlite:${join(folder, 'sol.db')}`
  const { origin } = await serve(t, 'examples/solar-system', '--store', store, '--workers', '1', ...flags)
  const made = await world('token', 'create', 'examples/solar-system', '--scope', 'admin', '--store', store)
  const response = await fetch(`${origin}/openapi.json`)
  assert.equal(response.status, 200)
  const file = join(folder, 'openapi.json')
  await writeFile(file, await response.text())
  return { origin, folder, file, token: made.stdout.trim() }
}

test('a linter finds no error in the OpenAPI document', async (t) => {
  const redocly = join(BINARIES, 'redocly')
  if (!isPresentOrSkips(t, existsSync(redocly), 'Redocly')) return
  const { file } = await described(t, '--operator')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await run(redocly, ['lint', file, '--format=json'], { env, maxBuffer: 64 * 1024 * 1024 })
  const { totals } = JSON.parse(stdout)
  assert.equal(totals.errors, 0)
})

test('a generated client is typed and can read the world', async (t) => {
  const generator = join(BINARIES, 'openapi-typescript')
  if (!isPresentOrSkips(t, existsSync(generator), 'openapi-typescript')) return
  const { origin, folder, file } = await described(t)
  const project = join(folder, 'project')
  await mkdir(project)
  await symlink(join(TOOLS, 'node_modules'), join(project, 'node_modules'))
  await run(generator, [file, '-o', join(project, 'sol.d.ts')])
  await copyFile(join(TOOLS, 'client.ts'), join(project, 'client.ts'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck']
  const types = [
    '--allowImportingTsExtensions',
    '--typeRoots',
    join(ROOT, 'node_modules/@types'),
    '--types',
    'node',
  ]
  await run(compiler, [...options, ...types, join(project, 'client.ts')], { cwd: project })
  const { stdout } = await run(process.execPath, [join(project, 'client.ts'), origin], { cwd: project })
  const { planets, ...rest } = JSON.parse(stdout)
  assert.deepEqual(rest, { axis: 671_100, missing: 'entity_not_found', found: 'mars', light: 1259 })
  assert.deepEqual(planets[0], ['earth', 3])
})

for (const [name, flags] of [
  ['of the demo world', []],
  ['of a private world that can be written to', ['--operator', '--private']],
] as const) {
  test(`generated requests get no failure and no undocumented response from the API ${name}`, async (t) => {
    if (!isPresentOrSkips(t, existsSync(SCHEMATHESIS), 'Schemathesis')) return
    const { origin, folder, file, token } = await described(t, ...flags)
    const sent = flags.length > 0 ? ['--header', `Authorization: Bearer ${token}`] : []
    const report = run(
      SCHEMATHESIS,
      [
        ...['--config-file', join(TOOLS, 'schemathesis.toml')],
        ...['run', file, '--url', origin, '--max-time', SECONDS, '--phases', 'coverage,fuzzing'],
        ...['--generation-database', 'none', '--seed', '1', '--continue-on-failure', ...sent],
      ],
      {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: TOOLS },
      },
    )
    const { stdout } = await report.catch((error) => assert.fail(`${error.stdout}\n${error.stderr}`))
    assert.match(stdout, /generated/)
    assert.doesNotMatch(stdout, /\[5\d\d\]/)
  })
}
