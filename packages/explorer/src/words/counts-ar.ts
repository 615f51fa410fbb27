/** Counted nouns in Arabic, which has six plural forms. */
import { type Count, pluralIn } from './plural.ts'

/** Selects the plural form for a number in Arabic. */
export const plural = pluralIn('ar')

/** Returns a function that formats a counted noun: in words for 0 to 2, and as a number with the noun for larger counts. */
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

/** Formats the number of search results. */
export const results = counting('لا نتائج', 'نتيجة واحدة', 'نتيجتان', 'نتائج', 'نتيجة', 'نتيجة')

/** Formats the number of table rows. */
export const rows = counting('لا صفوف', 'صف واحد', 'صفان', 'صفوف', 'صفًا', 'صف')

/** Formats the number of members in an object or a type. */
export const fields = counting('لا حقول', 'حقل واحد', 'حقلان', 'حقول', 'حقلًا', 'حقل')
