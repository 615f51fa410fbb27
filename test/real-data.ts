/** Finds real data beside a checkout. It belongs to others and is too large to be part of the repository. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

/**
 * Returns the path of a file or folder of the real data. If it is missing, skips the test and returns undefined, or throws
 * under `CI=true`.
 */
export function realData(context: TestContext, path: string): string | undefined {
  const full = join(ROOT, '../shared/data', path)
  return isPresentOrSkips(context, existsSync(full), `${path} beside the checkout`) ? full : undefined
}
