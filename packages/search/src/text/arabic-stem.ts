/**
 * Light stemming of Arabic, after Larkey's light10: removes the article, a preceding conjunction and a few endings. Words of
 * other languages in the same script lose the same letters in titles and queries, which does little harm.
 */

const ARABIC = /^[\u0621-\u064a\u066e-\u06d3]+$/
const CONJUNCTION = 'و'
/** Articles, alone or fused with prepositions and conjunctions, longest first. */
const ARTICLES = ['وبال', 'وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال']
/** Endings in removal order, after `ة` has become `ه`. Other endings are kept, because foreign names have them too. */
const ENDINGS = ['ها', 'ات', 'ه']
/** Minimum number of letters left after stemming, so that words stay distinct. */
const SHORTEST = 3

/** Reports whether a folded word is in Arabic script. */
export function isArabic(word: string): boolean {
  return ARABIC.test(word)
}

/** Returns the stem of a folded word in Arabic script. */
export function arabicStem(word: string): string {
  const article = ARTICLES.find((each) => word.startsWith(each) && word.length - each.length >= SHORTEST - 1)
  let rest = article === undefined ? word : word.slice(article.length)
  if (article === undefined && word.startsWith(CONJUNCTION) && word.length > SHORTEST) rest = word.slice(1)
  for (const ending of ENDINGS) {
    if (rest.endsWith(ending) && rest.length - ending.length >= SHORTEST) rest = rest.slice(0, -ending.length)
  }
  return rest
}
