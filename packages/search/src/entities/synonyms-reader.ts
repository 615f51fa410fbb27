/** Reads the synonyms of a store for expanding queries. */

import { synonymsOfText } from '@worldwright/core/store'
import { Synonyms } from '../text/synonyms.ts'

/** Returns a function that gives the synonyms, parsed once for each text that `read` finds in the metadata. */
export function synonymsReader(read: () => string | undefined): () => Synonyms {
  let text: string | undefined
  let synonyms = new Synonyms([])
  return () => {
    const now = read()
    if (now !== text) {
      synonyms = new Synonyms(synonymsOfText(now))
      text = now
    }
    return synonyms
  }
}
