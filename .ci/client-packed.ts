/**
 * Packs the client, installs the archive into an empty project, type-checks a program for browsers and one for Node.js
 * there under the strictest settings, and bundles it with Vite and with esbuild, without one warning. No source of the
 * repository is used.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build as bundle } from 'esbuild'
import { createLogger, build as viteBuild } from 'vite'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'worldwright-client-'))

const STRICT = {
  strict: true,
  skipLibCheck: false,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noUncheckedSideEffectImports: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  forceConsistentCasingInFileNames: true,
  noEmit: true,
}

const BROWSER = `
import { connect, isWorldError, type Entity, type World } from '@worldwright/client'
import { connect as plain, discover, get } from '@worldwright/client/functions'
import { memoryWorld } from '@worldwright/client/testing'

interface Types {
  entities: { 'sol:moon': { radiusKm: number } }
  actions: { 'sol:count': { input: { type?: string }; output: number } }
}
export async function read(): Promise<number> {
  const { origin, fetch } = memoryWorld()
  const world: World<Types> = await connect<Types>(origin, { fetch, expectWorldId: 'urn:example:memory' })
  const moon = await world.get('sol:moon', 'europa')
  const { output } = await world.action('sol:count', { type: 'sol:moon' })
  for await (const { attributes } of world.entities('sol:moon', { maxPages: 9 })) console.log(attributes.radiusKm)
  // @ts-expect-error: this world has no such type.
  await world.get('sol:mon', 'europa')
  const any: World = await connect(origin)
  const found: Entity[] = (await any.discover({ text: 'ice' })).entities
  const data = await plain(origin)
  await discover(data)
  await get(data, 'sol:moon', found[0]?.id ?? 'europa')
  return moon.attributes.radiusKm + output
}
read().catch((error: unknown) => {
  if (isWorldError(error)) console.log(error.code, error.details['members'], error.toJSON())
})
`

const NODE = `
import { connect } from '@worldwright/client'
import { guardedFetch, isPublicAddress } from '@worldwright/client/guard'
export const world = connect('https://sol.example', { fetch: guardedFetch({ allowAddress: isPublicAddress }) })
`

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function typeCheck(name: string, program: string, compilerOptions: object): void {
  writeFileSync(join(folder, `${name}.ts`), program)
  const config = { compilerOptions: { ...STRICT, ...compilerOptions }, files: [`${name}.ts`] }
  writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config))
  run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${name}.json`],
    folder,
  )
}

async function main(): Promise<void> {
  run('npm', ['pack', '--workspace', '@worldwright/client', '--pack-destination', folder], root)
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${archive}`], folder)
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))

  const browser = { target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }
  typeCheck('browser', BROWSER, { ...browser, module: 'esnext', moduleResolution: 'bundler' })
  typeCheck('node', NODE, { target: 'es2024', module: 'nodenext', types: ['node'] })

  const entry = join(folder, 'browser.ts')
  const { warnings } = await bundle({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
  })
  const said = warnings.map(({ text }) => text)
  const logger = createLogger('info', { allowClearScreen: false })
  for (const level of ['warn', 'warnOnce', 'error'] as const)
    logger[level] = (text: string) => void said.push(text)
  logger.info = () => {}
  await viteBuild({
    root: folder,
    configFile: false,
    customLogger: logger,
    build: { lib: { entry, formats: ['es'], fileName: 'out' }, outDir: 'out' },
  })
  if (said.length > 0) throw new Error(`bundling said:\n${said.join('\n')}`)
  process.stdout.write(
    'packed client: types hold under the strictest settings; Vite and esbuild bundle it silently\n',
  )
}

try {
  await main()
} finally {
  rmSync(folder, { recursive: true })
}
