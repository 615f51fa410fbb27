/** Numbers of things in Arabic, which has six forms. */
import { type Count, pluralIn } from './plural.ts'

const plural = pluralIn<'zero' | 'one' | 'two' | 'few' | 'many'>('ar')

/** What a list holds, in the form for its number. */
export function items(count: Count): string {
  return plural(count, {
    zero: 'لا عناصر',
    one: 'عنصر واحد',
    two: 'عنصران',
    few: `${count} عناصر`,
    many: `${count} عنصرًا`,
    other: `${count} عنصر`,
  })
}

/** How many were found, in the form for their number. */
export function results(count: Count): string {
  return plural(count, {
    zero: 'لا نتائج',
    one: 'نتيجة واحدة',
    two: 'نتيجتان',
    few: `${count} نتائج`,
    many: `${count} نتيجة`,
    other: `${count} نتيجة`,
  })
}

/** Rows of a table, in the form for their number. */
export function rows(count: Count): string {
  return plural(count, {
    zero: 'لا صفوف',
    one: 'صف واحد',
    two: 'صفان',
    few: `${count} صفوف`,
    many: `${count} صفًا`,
    other: `${count} صف`,
  })
}

/** Members of an object or a type, in the form for their number. */
export function fields(count: Count): string {
  return plural(count, {
    zero: 'لا حقول',
    one: 'حقل واحد',
    two: 'حقلان',
    few: `${count} حقول`,
    many: `${count} حقلًا`,
    other: `${count} حقل`,
  })
}
