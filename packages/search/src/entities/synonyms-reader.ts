import { synonymsOfText } from '@worldwright/core/store'
import { Synonyms } from '../text/synonyms.ts'

/** Returns a function that returns the parsed synonyms. They are parsed again only if the text from `read` has changed. */
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
