import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Returns the size of a program bundled without the modules that load on demand, minified and compressed, in bytes. */
async function sizeOf(contents: string): Promise<number> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url))
  const stdin = { contents, resolveDir, loader: 'ts' as const }
  const external = ['./changes.ts', './live.ts', './query.ts', './proof.ts', '../foreign/foreign.ts']
  const { outputFiles } = await build({
    stdin,
    external,
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

test('the whole client is at most 5 kB', async () => {
  const size = await sizeOf("export * from './index.ts'")
  assert.ok(size <= 5000, `${size}`)
})

test('the whole client with the reader for foreign worlds and its proofs is at most 9.6 kB', async () => {
  const size = await sizeOf(
    "export * from './index.ts'; export { connect as any, descriptionFrom, interpretationOf, referenceIn } from './foreign/foreign.ts'; export * from './foreign/proof.ts'",
  )
  assert.ok(size <= 9600, `${size}`)
  assert.ok(size > 6000, 'the reader was left out')
})

test('connect, get and discover alone are at most 3.1 kB', async () => {
  const size = await sizeOf("export { connect, get, discover } from './functions.ts'")
  assert.ok(size <= 3100, `${size}`)
  assert.ok(size > 1000, 'nothing was bundled')
})

test('the operator module is at most 4.8 kB with its dependencies', async () => {
  const size = await sizeOf("export { mintId, Operator } from './operator/operator.ts'")
  assert.ok(size <= 4800, `${size}`)
  assert.ok(size > 3000, 'nothing was bundled')
})

test('the module for many worlds is at most 6.7 kB with the whole client', async () => {
  const size = await sizeOf("export * from './many/many.ts'")
  assert.ok(size <= 6700, `${size}`)
  assert.ok(size > 5000, 'nothing was bundled')
})

test('a bundle contains no unused code', async () => {
  const small = await sizeOf("export { isWorldError } from './functions.ts'")
  assert.ok(small < 300, `${small}`)
})
