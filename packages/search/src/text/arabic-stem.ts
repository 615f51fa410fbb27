/**
 * Light stemming of Arabic, after Larkey's light10: the article, the conjunction before it and few endings are removed. Words
 * of other languages in the same script lose the same letters in titles and questions, which does little harm.
 */

const ARABIC = /^[\u0621-\u064a\u066e-\u06d3]+$/
const CONJUNCTION = 'و'
/** Articles, with the prepositions and conjunctions that are written with them; longer ones first. */
const ARTICLES = ['وبال', 'وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال']
/** In the order in which they are removed; `ة` is `ه` by then. Others are also the ends of names from elsewhere. */
const ENDINGS = ['ها', 'ات', 'ه']
/** Letters that are left at least, so that words can be told apart. */
const SHORTEST = 3

/** Whether a folded word is in Arabic script. */
export function isArabic(word: string): boolean {
  return ARABIC.test(word)
}

/** The stem of a folded word in Arabic script. */
export function arabicStem(word: string): string {
  const article = ARTICLES.find((each) => word.startsWith(each) && word.length - each.length >= SHORTEST - 1)
  let rest = article === undefined ? word : word.slice(article.length)
  if (article === undefined && word.startsWith(CONJUNCTION) && word.length > SHORTEST) rest = word.slice(1)
  for (const ending of ENDINGS) {
    if (rest.endsWith(ending) && rest.length - ending.length >= SHORTEST) rest = rest.slice(0, -ending.length)
  }
  return rest
}
