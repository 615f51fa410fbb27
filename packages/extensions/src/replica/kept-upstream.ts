/** What a replica keeps of its upstream, beside the entities. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { IndexRules, NamedValues, Store } from '@worldwright/core/store'
import { namedValue, SYNONYMS_KEY, type SynonymRule, textOfSynonyms } from '@worldwright/core/store'

/** Which world a store follows, and how far it has come. Kept with the changes themselves, in the same commit. */
export interface KeptUpstream {
  readonly origin: string
  /** The world's id: an origin that answers with another one is not followed. */
  readonly worldId: string
  /** The token that goes on after what is in the store. */
  readonly next: string
  /** When that was, in milliseconds since 1970. */
  readonly at: number
}

/** The description of a world: all that a replica needs to say the same. */
export interface UpstreamDescription {
  readonly id: string
  readonly name?: string
  readonly description?: string
  readonly license?: string
  readonly attribution?: string
  /** As discovery lists them. */
  readonly entityTypes: readonly EntityTypeDescription[]
  /** What makes searches find the same. */
  readonly indexRules: IndexRules
  readonly searchSynonyms: readonly SynonymRule[]
  /** Reads need a token. */
  readonly isPrivate: boolean
}

const UPSTREAM_KEY = 'followed'
const DESCRIPTION_KEY = 'followed-description'

/** The upstream of a store; undefined if it is no replica, or was never caught up. */
export async function keptUpstream(storage: Store): Promise<KeptUpstream | undefined> {
  return parsed((await namedValue(storage, UPSTREAM_KEY))?.value)
}

/** The upstream's last description; undefined as `keptUpstream`. */
export async function keptDescription(storage: Store): Promise<UpstreamDescription | undefined> {
  return parsed((await namedValue(storage, DESCRIPTION_KEY))?.value)
}

/** The values to keep. Without a description, the one that is kept stays, and so do its synonyms. */
export function valuesOf(upstream: KeptUpstream, description: UpstreamDescription | undefined): NamedValues {
  return {
    [UPSTREAM_KEY]: JSON.stringify(upstream),
    ...(description && {
      [DESCRIPTION_KEY]: JSON.stringify(description),
      [SYNONYMS_KEY]: textOfSynonyms(description.searchSynonyms),
    }),
  }
}

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}
