/** Memory limits for the Node.js processes of `world serve`. Workers inherit the young generation limit. */
import { setFlagsFromString } from 'node:v8'

const OPTION = '--max-semi-space-size'
/** Size of each of the two semi-spaces, in MB. By default they grow to 32 MB, which makes no request faster. */
const MEGABYTES = 8

/** Returns the Node.js option that sets the limit, or an empty array if `NODE_OPTIONS` or `execArgv` already sets it. */
export function heapOptions(nodeOptions = '', execArgv: readonly string[] = []): string[] {
  const given = [nodeOptions, ...execArgv].join(' ').replaceAll('_', '-')
  return given.includes(OPTION) ? [] : [`${OPTION}=${MEGABYTES}`]
}

/**
 * Growth of the old generation that triggers a full garbage collection, in percent of live objects. With the Node.js
 * default, which is three times as high, a worker with thousands of queued requests used 50 MB more.
 */
const OLD_GARBAGE_PERCENT = 50

/**
 * Limits the old generation garbage of this process. Call it before anything else. The flag is not a command-line option,
 * because Node.js would then not use its code cache and would need 27 MB more.
 */
export function boundOldGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`)
}
