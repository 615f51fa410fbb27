/**
 * Mints ids before anything is sent, so that a retried request names the same entity.
 */

/**
 * Returns a new, globally unique id: a version 7 UUID (RFC 9562, 5.7). Ids are ordered by the millisecond in which they were
 * minted. Any number of writers may mint ids for one world.
 */
export function mintId(now: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let at = 0; at < 6; at++) bytes[at] = Math.floor(now / 2 ** (8 * (5 - at)))
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
