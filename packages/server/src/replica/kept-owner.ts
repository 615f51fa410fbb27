/** What a copy keeps of the world that it follows, beside the entities. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { IndexRules, MetadataRecord, Storage } from '../storage/contract.ts'
import { SYNONYMS_KEY, type SynonymRule, textOfSynonyms } from '../storage/search-synonyms.ts'

/** Which world a store follows, and how far it has come. Kept with the changes themselves, in the same commit. */
export interface KeptOwner {
  readonly origin: string
  /** The world's id: an origin that answers with another one is not followed. */
  readonly worldId: string
  /** The token that goes on after what is in the store. */
  readonly next: string
  /** When that was, in milliseconds since 1970. */
  readonly at: number
}

/** The description of a world: all that a copy needs to say the same. */
export interface OwnerDescription {
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

const OWNER_KEY = 'followed'
const DESCRIPTION_KEY = 'followed-description'

/** Which world a store follows; undefined if it is no copy, or was never caught up. */
export async function keptOwner(storage: Storage): Promise<KeptOwner | undefined> {
  return parsed((await storage.metadata(OWNER_KEY))?.value)
}

/** The owner's last description; undefined as `keptOwner`. */
export async function keptDescription(storage: Storage): Promise<OwnerDescription | undefined> {
  return parsed((await storage.metadata(DESCRIPTION_KEY))?.value)
}

/** The values to keep. Without a description, the one that is kept stays, and so do its synonyms. */
export function metadataOf(owner: KeptOwner, description: OwnerDescription | undefined): MetadataRecord {
  return {
    [OWNER_KEY]: JSON.stringify(owner),
    ...(description && {
      [DESCRIPTION_KEY]: JSON.stringify(description),
      [SYNONYMS_KEY]: textOfSynonyms(description.searchSynonyms),
    }),
  }
}

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}
