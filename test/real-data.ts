/** Real data beside a checkout, if present: too large, and too little our own, to be part of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ROOT } from './source-files.ts'

/**
 * Returns the path of a file or folder of the real data. If it is missing, skips the test with the reason and returns
 * undefined; under `CI=true` a missing file is a failure.
 */
export function realData(context: TestContext, path: string): string | undefined {
  const full = join(ROOT, '../shared/data', path)
  if (existsSync(full)) return full
  if (process.env['CI'] === 'true') throw new Error(`the test data ${path} is missing beside the checkout`)
  context.skip(`${path} does not lie beside this checkout`)
  return undefined
}
