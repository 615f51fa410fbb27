/** Models the requests that reach a world behind caches if entity popularity follows a Zipf distribution. */

/** Client traffic, and the time for which a cache answers without revalidation. */
export interface Traffic {
  /** Total requests per second of all clients. */
  readonly perSecond: number
  readonly entities: number
  /** Zipf exponent: the request rate of the entity of rank `r` is proportional to `r ** -exponent`. */
  readonly exponent: number
  /** Number of independent caches that share the clients evenly. */
  readonly caches: number
  /** Time for which a cache answers without revalidation, in seconds. 0 if it revalidates each time. */
  readonly freshSeconds: number
}

/** Number of ranks computed individually. Lower ranks are grouped by similar popularity. */
const ALONE = 10_000
/** Number of groups per decade of ranks. */
const GROUPS = 200

/** Returns the requests per second that caches forward: on a miss, and on the first request after an answer has expired. */
export function sentOn({ perSecond, entities, exponent, caches, freshSeconds }: Traffic): number {
  const groups = groupsOf(entities)
  const weightOf = (rank: number) => rank ** -exponent
  const whole = groups.reduce((sum, { rank, count }) => sum + count * weightOf(rank), 0)
  let sum = 0
  for (const { rank, count } of groups) {
    const asked = (perSecond * weightOf(rank)) / whole / caches
    sum += (count * caches * asked) / (1 + asked * freshSeconds)
  }
  return sum
}

interface Group {
  /** Rank in the middle of the group. */
  readonly rank: number
  readonly count: number
}

function groupsOf(entities: number): Group[] {
  const groups: Group[] = []
  const step = 10 ** (1 / GROUPS)
  for (let first = 1; first <= entities; ) {
    const next = first <= ALONE ? first + 1 : Math.max(first + 1, Math.floor(first * step))
    const count = Math.min(next, entities + 1) - first
    groups.push({ rank: first + (count - 1) / 2, count })
    first = next
  }
  return groups
}

/** Simulates the figure of `sentOn`: requests arrive at random moments, for random entities, at random caches. */
export function playedThrough(traffic: Traffic, seconds: number, roll: () => number): number {
  const { perSecond, entities, exponent, caches, freshSeconds } = traffic
  const reached = new Float64Array(entities)
  let sum = 0
  for (let at = 0; at < entities; at++) reached[at] = sum += (at + 1) ** -exponent
  const freshUntil = new Float64Array(entities * caches)
  let sent = 0
  // Warm-up: the first part fills the caches and is not counted.
  const begin = -2 * freshSeconds
  let now = begin
  while (now < seconds) {
    const entity = firstAtLeast(reached, roll() * sum)
    const place = entity * caches + Math.floor(roll() * caches)
    if (now - begin >= (freshUntil[place] as number)) {
      freshUntil[place] = now - begin + freshSeconds
      if (now >= 0) sent += 1
    }
    now += -Math.log(1 - roll()) / perSecond
  }
  return sent / seconds
}

function firstAtLeast(ascending: Float64Array, wanted: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
