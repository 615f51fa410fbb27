/** Revision of an entity: a digest of its content. */
import type { Entity } from '@worldwright/client/protocol'
import canonicalize from 'canonicalize'
import { BASE64URL } from './bytes.ts'
import { sha256 } from './digest.ts'

/** Number of whole base64url characters in the first 128 bits of SHA-256 (decisions 2). Two bits remain. */
const REVISION_CHARACTERS = 21
/** Base64url characters for the two remaining bits, by value. */
const TWO_BITS = 'AQgw'

/**
 * Returns the revision of an entity: 128 bits of SHA-256 in base64url, over the canonical JSON (RFC 8785) of type, id,
 * title, summary and attributes (decisions 2). Ignores its times and any existing revision.
 */
export function revisionOf({ type, id, title, summary, attributes }: Entity): string {
  // An object always has a canonical form; only bare functions and symbols have none.
  const canonical = canonicalize({ type, id, title, summary, attributes }) as string
  const hash = sha256(canonical)
  const last = BASE64URL.indexOf(hash.charAt(REVISION_CHARACTERS)) >> 4
  return hash.slice(0, REVISION_CHARACTERS) + TWO_BITS.charAt(last)
}
