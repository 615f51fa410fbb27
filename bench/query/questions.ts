/** Questions by name. Each engine answers those that it supports. */

/** Names of the questions, in running order. */
export const questions = [
  'one value of many',
  'a hundredth by a number',
  'half by a number',
  'one country',
  'three conditions and a sort',
  'sorted, first page',
  'sorted, page 10,000',
  'text and three conditions',
  'text and a country',
  'facet of all',
  'facet of a hundredth',
  'groups by one key',
  'groups by two keys',
  'groups of a tenth by decade',
  'groups of all by place',
  'groups by cells of a map',
  'the first of a sample',
] as const

/** Countries with tens of thousands of entities each. */
export const COUNTRIES = ['FR', 'DE', 'US', 'PL', 'IN', 'JP', 'PT', 'MX']

/** Returns a band of latitudes with about a hundredth of the entities, different in each round. */
export function band(round: number): readonly [south: number, north: number] {
  const south = 40 + (round % 60) * 0.2
  return [south, south + 0.12]
}

/** Returns a band of longitudes with about a tenth of the entities, different in each round. */
export function tenthOf(round: number): readonly [west: number, east: number] {
  const west = -3 + (round % 60) * 0.02
  return [west, west + 11]
}

/** Number of entities per page. */
export const PAGE = 20
