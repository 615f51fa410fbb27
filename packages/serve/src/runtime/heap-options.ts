/** How much memory Node gives to objects in the processes of `world serve`. Workers inherit the option for young ones. */
import { setFlagsFromString } from 'node:v8'

const OPTION = '--max-semi-space-size'
/** Node keeps two such spaces. Without a bound each grows to 32 MB, and no request is faster for it. */
const MEGABYTES = 8

/** The option of Node that sets the bound; none where `NODE_OPTIONS` or these arguments set one already. */
export function heapOptions(nodeOptions = '', execArgv: readonly string[] = []): string[] {
  const given = [nodeOptions, ...execArgv].join(' ').replaceAll('_', '-')
  return given.includes(OPTION) ? [] : [`${OPTION}=${MEGABYTES}`]
}

/**
 * Old objects, in percent of those in use, that may be garbage before all of them are looked through. By itself Node waits for
 * three times as many: under thousands of requests that wait, and so grow old, a worker took 50 MB more.
 */
const OLD_GARBAGE_PERCENT = 50

/**
 * Bounds the garbage of this process: call it before anything else. As an option of Node's command it would keep Node from using
 * what it has compiled before, which takes 27 MB.
 */
export function boundOldGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`)
}
