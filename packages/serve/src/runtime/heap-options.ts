/** Memory limits of Node.js in the processes of `world serve`. Workers inherit the option for young objects. */
import { setFlagsFromString } from 'node:v8'

const OPTION = '--max-semi-space-size'
/** Size of a semi-space, of which Node.js keeps two, in MB. Unbounded, each grows to 32, and no request is faster for it. */
const MEGABYTES = 8

/** Returns the Node.js option that sets the bound; none if `NODE_OPTIONS` or these arguments set one already. */
export function heapOptions(nodeOptions = '', execArgv: readonly string[] = []): string[] {
  const given = [nodeOptions, ...execArgv].join(' ').replaceAll('_', '-')
  return given.includes(OPTION) ? [] : [`${OPTION}=${MEGABYTES}`]
}

/**
 * Growth of the old generation before a full garbage collection, in percent of the objects in use. By default Node.js allows
 * three times as much: under thousands of requests that wait, and so grow old, a worker took 50 MB more.
 */
const OLD_GARBAGE_PERCENT = 50

/**
 * Bounds the garbage of this process: call it before anything else. As a command-line option it would keep Node.js from using
 * its code cache, which takes 27 MB.
 */
export function boundOldGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`)
}
