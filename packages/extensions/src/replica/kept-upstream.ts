/** State of a replica beside the entities: its upstream and the progress. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { IndexRules, NamedValues, Store } from '@worldwright/core/store'
import { namedValue, SYNONYMS_KEY, type SynonymRule, textOfSynonyms } from '@worldwright/core/store'

/** The world that a store follows, and its progress. Stored in the same commit as the changes themselves. */
export interface KeptUpstream {
  readonly origin: string
  /** The world's id. A store does not follow an origin that answers with another id. */
  readonly worldId: string
  /** The token that continues after the stored changes. */
  readonly next: string
  /** Time of that commit, in milliseconds since 1970. */
  readonly at: number
}

/** The description of a world: all that a replica needs to describe itself alike. */
export interface UpstreamDescription {
  readonly id: string
  readonly name?: string
  readonly description?: string
  readonly license?: string
  readonly attribution?: string
  /** As discovery lists them. */
  readonly entityTypes: readonly EntityTypeDescription[]
  /** Index rules, so that searches at the replica find the same. */
  readonly indexRules: IndexRules
  readonly searchSynonyms: readonly SynonymRule[]
  /** Reads need a token. */
  readonly isPrivate: boolean
}

const UPSTREAM_KEY = 'followed'
const DESCRIPTION_KEY = 'followed-description'

/** Returns the upstream of a store; undefined if it is no replica, or never caught up. */
export async function keptUpstream(storage: Store): Promise<KeptUpstream | undefined> {
  return parsed((await namedValue(storage, UPSTREAM_KEY))?.value)
}

/** Returns the upstream's last description; undefined as for `keptUpstream`. */
export async function keptDescription(storage: Store): Promise<UpstreamDescription | undefined> {
  return parsed((await namedValue(storage, DESCRIPTION_KEY))?.value)
}

/** Returns the values to store. Without a description, the stored one and its synonyms stay. */
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
