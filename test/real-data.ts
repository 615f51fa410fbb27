/** Real data that lies beside a checkout, if there is some: too large, and too much others' own, to be part of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { ROOT } from './source-files.ts'

/**
 * The path of a file or folder of the real data. If it is missing the test is reported as skipped, with the
 * reason, and undefined comes back; under `CI=true` a missing file is a failure.
 */
export function realData(context: TestContext, path: string): string | undefined {
  const full = join(ROOT, '../shared/data', path)
  if (existsSync(full)) return full
  if (process.env['CI'] === 'true') throw new Error(`the test data ${path} is missing beside the checkout`)
  context.skip(`${path} does not lie beside this checkout`)
  return undefined
}
