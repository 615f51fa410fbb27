/** What asking precisely says, in Arabic: filters, conditions, what points here. */
import type { ASK_EN } from './ask-en.ts'
import { pluralIn } from './plural.ts'

const plural = pluralIn<'zero' | 'one' | 'two' | 'few' | 'many'>('ar')

/** The words of filters in Arabic. */
export const ASK_AR: typeof ASK_EN = {
  filters: 'عوامل التصفية',
  from: 'من',
  to: 'إلى',
  or: 'أو',
  remove: 'إزالة عامل التصفية',
  clear: 'إزالة جميع عوامل التصفية',
  histogram: (label, from, to) => `${label}: العدد من ${from} إلى ${to}`,
  noValues: 'لا قيم',
  moreValues: 'هذه هي الأكثر تكرارًا.',
  shares: 'النسب من العناصر التي لها قيمة.',
  other: 'قيمة أخرى',
  otherValue: (label) => `${label}: قيمة أخرى`,
  nothing: 'لا شيء يوافق عوامل التصفية هذه.',
  words: (text) => `«${text}»`,
  condition: 'شرط بلغة CQL2',
  apply: 'تطبيق',
  refine: 'تصفية هذه النتائج وترتيبها وعدّها',
  nearestTo: (place) => `الأقرب إلى ${place}`,
  nearLabel: 'الأقرب إلى: خط العرض، خط الطول',
  nearWrong: 'عددان بالدرجات، مثل 48.86, 2.35',
  nearestHere: 'الأقرب إليه',
  order: 'الترتيب',
  byId: 'حسب المعرّف',
  distance: 'المسافة',
  nearest: 'الأقرب أولًا',
  newest: (date) => `${date}: الأحدث أولًا`,
  upwards: (label) => `${label} ↑`,
  downwards: (label) => `${label} ↓`,
  pointsHere: 'ما يشير إلى هنا',
  by: (type, property) => `${type}، في «${property}»`,
  all: (count) =>
    plural(count, {
      zero: 'عرض القائمة',
      one: 'عرضه في القائمة',
      two: 'عرضهما في القائمة',
      few: `عرضها كلها (${count})`,
      many: `عرضها كلها (${count})`,
      other: `عرضها كلها (${count})`,
    }),
}
