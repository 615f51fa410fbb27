/**
 * Light stemming of Arabic, after Larkey's light10: removes the article, the conjunction before it and a few endings. Words of
 * other languages in the same script lose the same letters in titles and queries, which does little harm.
 */

const ARABIC = /^[\u0621-\u064a\u066e-\u06d3]+$/
const CONJUNCTION = 'و'
/** Articles, with the prepositions and conjunctions that are written with them; longer ones first. */
const ARTICLES = ['وبال', 'وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال']
/** Endings in the order in which they are removed; `ة` is `ه` by then. Other endings are also those of foreign names. */
const ENDINGS = ['ها', 'ات', 'ه']
/** Minimum letters that are left, so that words stay distinct. */
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
