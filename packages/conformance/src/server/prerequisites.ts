/** Prerequisites of server checks. If one fails, the checks that need it are skipped, so a cause is reported only once. */

/** Check ids, where a trailing `*` is a wildcard, and the ids of the checks that must pass first. */
const BEFORE: readonly (readonly [ids: string, before: readonly string[]])[] = [
  ['L1-discovery-2.a', ['L1-discovery-1.a']],
  ['L1-discovery-4.a', ['L1-discovery-3.a']],
  ['L1-discovery-7.b', ['L1-routes-2.a']],
  ['L1-discovery-7.c', ['L1-routes-4.b', 'L1-routes-4.c', 'L1-discover-2.b']],
  ['L1-routes-2.*', ['L1-discovery-4.a']],
  ['L1-routes-2.b', ['L1-routes-2.a']],
  ...['c', 'd', 'e', 'f'].map((letter) => [`L1-routes-2.${letter}`, ['L1-routes-2.b']] as const),
  ['L1-endpoints-5.*', ['L1-routes-2.b', 'L1-routes-2.d']],
  ['L1-entity-3.a', ['L1-routes-2.b', 'L1-routes-2.d', 'L1-routes-2.f']],
  ['L1-endpoints-5.c', ['L1-endpoints-5.a']],
  ['L1-endpoints-5.d', ['L1-endpoints-5.a']],
  ['L1-endpoints-5.e', ['L1-endpoints-5.c', 'L1-endpoints-5.d', 'L1-routes-6.c', 'L1-routes-6.d']],
  ['L1-endpoints-5.f', ['L1-endpoints-5.c', 'L1-routes-6.b', 'L1-routes-6.c']],
  ['L1-routes-6.*', ['L1-routes-2.b', 'L1-routes-2.d', 'L1-routes-2.e', 'L1-endpoints-5.d']],
  ...['b', 'c', 'd', 'e', 'f', 'g'].map((letter) => [`L1-routes-6.${letter}`, ['L1-routes-6.a']] as const),
  ['L1-routes-6.c', ['L1-routes-6.b']],
  ['L1-routes-6.e', ['L1-routes-6.d']],
  ['L1-routes-6.f', ['L1-routes-6.b']],
  ['L1-routes-3.a', ['L1-routes-2.b', 'L1-routes-2.d']],
  ['L1-routes-3.b', ['L1-routes-3.a']],
  ['L1-routes-3.c', ['L1-discovery-4.a']],
  ['L1-routes-3.d', ['L1-routes-3.a', 'L1-routes-3.b']],
  ['L1-entity-4.*', ['L1-routes-3.a', 'L1-routes-3.b']],
  ['L1-entity-4.b', ['L1-routes-2.f']],
  ['L1-endpoints-2.*', ['L1-routes-3.a']],
  ['L1-endpoints-2.j', ['L1-endpoints-2.a']],
  ['L1-endpoints-3.a', ['L1-routes-4.a', 'L1-endpoints-2.j']],
  ...['c', 'd', 'e', 'f', 'g', 'i', 'j', 'l'].map(
    (letter) => [`L1-endpoints-2.${letter}`, ['L1-endpoints-2.h']] as const,
  ),
  ['L1-service-3.b', ['L1-routes-2.b', 'L1-routes-4.b']],
  ['L1-service-3.a', ['L1-routes-3.a', 'L1-entity-4.a', 'L1-routes-4.b']],
  ['L1-routes-4.a', ['L1-discovery-4.a']],
  ['L1-routes-4.b', ['L1-routes-4.a']],
  ['L1-routes-4.c', ['L1-routes-4.b', 'L1-routes-2.d']],
  ['L1-discover-*', ['L1-routes-4.a']],
  ...['2.b', '2.c', '2.d', '3.b', '3.c', '4.a'].map(
    (one) => [`L1-discover-${one}`, ['L1-routes-4.b', 'L1-routes-4.c']] as const,
  ),
  ['L1-discover-2.b', ['L1-discover-2.a']],
  ['L1-discover-2.c', ['L1-discover-2.b']],
  ['L1-discover-2.d', ['L1-discover-2.b']],
  ['L1-discover-2.e', ['L1-discover-2.d', 'L1-discover-3.a']],
  ['L1-discover-3.b', ['L1-discover-3.a']],
  ['L1-discover-3.c', ['L1-discover-3.a']],
  ['L1-discover-3.d', ['L1-discover-3.a']],
  ['L1-discover-4.b', ['L1-discover-4.a']],
  ['L1-discover-6.a', ['L1-discover-3.a']],
  ['L1-discover-6.b', ['L1-discover-2.a']],
  ['L1-discover-6.c', ['L1-discover-2.a', 'L1-discover-3.a']],
  ['L1-errors-1.h', ['L1-errors-1.a']],
  ['L1-errors-1.t', [...'abcdefgijklmnoprsu'].map((letter) => `L1-errors-1.${letter}`)],
  ['L1-endpoints-6.c', ['L1-routes-1.a', 'L1-routes-2.a', 'L1-routes-4.a']],
  ['L1-errors-1.s', ['L1-errors-1.k']],
  ['L1-errors-1.q', ['L1-routes-2.a', 'L1-routes-4.a']],
  ['D3-*', ['L1-routes-2.b']],
  ['D4-*', ['L1-routes-4.a']],
  ['D9-*', ['L1-routes-4.a', 'D9-1.a']],
]

/** Returns the ids of the checks that must pass before the check `id` runs. */
export function prerequisitesOf(id: string): readonly string[] {
  return BEFORE.filter(([ids]) => (ids.endsWith('*') ? id.startsWith(ids.slice(0, -1)) : id === ids))
    .flatMap(([, before]) => before)
    .filter((before) => before !== id)
}
