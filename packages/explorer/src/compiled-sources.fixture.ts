/**
 * Compiles the `.tsx` files of the page for Node.js, which strips types but does not transform JSX. A single esbuild call
 * compiles all of them, because each call starts a process. Stubs replace the modules that only the build provides.
 */
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const FOLDER = import.meta.dirname

/** Stub for the outline of the Earth's land: a single triangle. */
export const LAND = 'M0 0L10 0L10 -10Z'

/** Stubs for the countries of the Earth: one of each size, a close one, and one without a code. */
export const COUNTRIES = [
  ['BR', -55, -10, 20],
  ['DE', 10, 51, 6],
  ['CH', 8, 47, 1.5],
  ['Somaliland', 47, 9, 1.5],
]

const { outputFiles } = buildSync({
  entryPoints: globSync('**/*.tsx', { cwd: FOLDER }).map((path) => join(FOLDER, path)),
  outdir: FOLDER,
  outbase: FOLDER,
  write: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  target: 'node24',
  sourcemap: 'external',
})

const outputs = new Map(outputFiles.map(({ path, text }) => [path, text]))
const sources = new Map(
  [...outputs]
    .filter(([path]) => path.endsWith('.js'))
    .map(([path, text]) => [
      pathToFileURL(path.replace(/js$/, 'tsx')).href,
      text + mapOf(outputs.get(`${path}.map`)),
    ]),
)

/**
 * Returns the source map as a comment. The import that JSX adds is on the first line and has no source position. It is
 * mapped to the first source line, since coverage would otherwise omit all lines above the first statement.
 */
function mapOf(text = '{}'): string {
  const map = JSON.parse(text)
  const whole = JSON.stringify({ ...map, mappings: `AAAA${map.mappings}` })
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(whole).toString('base64')}`
}

/** Returns the compiled or stub source of a module that Node.js cannot load by itself. Undefined for any other module. */
function sourceOf(url: string): string | undefined {
  if (url === 'virtual:outline') return `export const LAND = ${JSON.stringify(LAND)}`
  if (url === 'virtual:borders')
    return `export const BORDERS = ''; export const COUNTRIES = ${JSON.stringify(COUNTRIES)}`
  if (url === 'virtual:detail') return `export const LAND = 'M1 1Z'; export const BORDERS = 'M2 2'`
  return url.endsWith('.css') ? '' : sources.get(url)
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('virtual:') ? { url: specifier, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) => {
    const source = sourceOf(url)
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
