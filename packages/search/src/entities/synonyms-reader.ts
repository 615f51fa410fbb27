/** The synonyms of a store as its index reads questions by them. */

import { synonymsOfText } from '@worldwright/core/store'
import { Synonyms } from '../text/synonyms.ts'

/** Returns the synonyms for a question, made once for each text that `read` finds in the metadata. */
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
