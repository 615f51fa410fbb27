/** How much memory Node gives to young objects, in the process of `world serve` and, after it, in its workers. */

const OPTION = '--max-semi-space-size'
/** Node keeps two such spaces. Without a bound each grows to 32 MB in the long run, and no request is faster for it. */
const MEGABYTES = 8

/** The option of Node that sets the bound; none where the operator has set one, in `NODE_OPTIONS` or in these arguments. */
export function heapOptions(nodeOptions = '', execArgv: readonly string[] = []): string[] {
  const given = [nodeOptions, ...execArgv].join(' ').replaceAll('_', '-')
  return given.includes(OPTION) ? [] : [`${OPTION}=${MEGABYTES}`]
}
