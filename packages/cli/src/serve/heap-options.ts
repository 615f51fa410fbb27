/** How much memory Node gives to young objects in the process of `world serve`; its workers inherit the option. */

const OPTION = '--max-semi-space-size'
/** Node keeps two such spaces. Without a bound each grows to 32 MB, and no request is faster for it. */
const MEGABYTES = 8

/** The option of Node that sets the bound; none where `NODE_OPTIONS` or these arguments set one already. */
export function heapOptions(nodeOptions = '', execArgv: readonly string[] = []): string[] {
  const given = [nodeOptions, ...execArgv].join(' ').replaceAll('_', '-')
  return given.includes(OPTION) ? [] : [`${OPTION}=${MEGABYTES}`]
}
