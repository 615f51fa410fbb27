/** Counts of things in Arabic, which has six plural forms. */
import { type Count, pluralIn } from './plural.ts'

/** Chooses the form for a number in Arabic. */
export const plural = pluralIn('ar')

/** Returns a function that counts things: in words up to two, from then on by a number with the noun in its form. */
export function counting(zero: string, one: string, two: string, few: string, many: string, other: string) {
  return (count: Count) =>
    plural(count, {
      zero,
      one,
      two,
      few: `${count} ${few}`,
      many: `${count} ${many}`,
      other: `${count} ${other}`,
    })
}

/** Results of a search with their number. */
export const results = counting('لا نتائج', 'نتيجة واحدة', 'نتيجتان', 'نتائج', 'نتيجة', 'نتيجة')

/** Rows of a table with their number. */
export const rows = counting('لا صفوف', 'صف واحد', 'صفان', 'صفوف', 'صفًا', 'صف')

/** Members of an object or a type. */
export const fields = counting('لا حقول', 'حقل واحد', 'حقلان', 'حقول', 'حقلًا', 'حقل')
