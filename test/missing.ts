/** Skips tests that need something the machine lacks, such as a browser, a proxy, a database or a tool. */
import type { TestContext } from 'node:test'

/**
 * Returns the reason to skip a test that needs `what`, or undefined if it is present. `npm test` counts the reasons.
 * @throws Error under `CI=true`, where nothing may be missing
 */
export function reasonToSkip(isPresent: boolean, what: string): string | undefined {
  if (isPresent) return undefined
  const reason = `not run: this machine has no ${what}`
  if (process.env['CI'] === 'true') throw new Error(reason)
  return reason
}

/** Returns `isPresent`, and skips the test if it is false. @throws Error under `CI=true` */
export function isPresentOrSkips(context: TestContext, isPresent: boolean, what: string): boolean {
  const reason = reasonToSkip(isPresent, what)
  if (reason !== undefined) context.skip(reason)
  return isPresent
}
