/** Strings of the desk in all languages, loaded with it. */
import { wordsIn } from '../words/words.ts'

const WORDS = {
  compare: { en: 'Compare', de: 'Vergleichen', es: 'Comparar', ar: 'قارن' },
  full: { en: 'Six at most', de: 'Höchstens sechs', es: 'Seis como máximo', ar: 'ستة على الأكثر' },
  pin: { en: 'Pin', de: 'Anheften', es: 'Fijar', ar: 'تثبيت' },
  pinned: { en: 'Pinned views', de: 'Angeheftete Ansichten', es: 'Vistas fijadas', ar: 'العروض المثبّتة' },
  added: { en: 'Added', de: 'Neu', es: 'Añadido', ar: 'أُضيف' },
  changed: { en: 'Changed', de: 'Geändert', es: 'Cambiado', ar: 'تغيّر' },
  removed: { en: 'Removed', de: 'Entfernt', es: 'Eliminado', ar: 'حُذف' },
  log: {
    en: 'The log holds the last change of each entity, without earlier values and without times of removals. Values that this page received before a change are shown beside the new ones. Days for which removals are kept:',
    de: 'Das Protokoll enthält die letzte Änderung jedes Eintrags, ohne frühere Werte und ohne Zeitpunkte des Entfernens. Werte, die diese Seite vor einer Änderung empfangen hat, stehen neben den neuen. Entferntes bleibt so viele Tage im Protokoll:',
    es: 'El registro contiene el último cambio de cada entidad, sin valores anteriores y sin la hora de las eliminaciones. Los valores que esta página recibió antes de un cambio se muestran junto a los nuevos. Días que se conservan las eliminaciones:',
    ar: 'يحفظ السجل آخر تغيير لكل كيان، دون أوقات الحذف ودون القيم السابقة. تظهر القيم التي استلمتها هذه الصفحة قبل التغيير. عدد أيام حفظ عمليات الحذف:',
  },
  cut: {
    en: 'The change log is longer than what is shown here: earlier removals and other changes may be missing.',
    de: 'Das Protokoll ist länger als hier gezeigt: Früher Entferntes und andere Änderungen können fehlen.',
    es: 'El registro es más largo de lo que se muestra aquí: pueden faltar eliminaciones anteriores y otros cambios.',
    ar: 'سجل التغييرات أطول مما يظهر هنا: قد تنقص عمليات حذف سابقة وتغييرات أخرى.',
  },
  differs: { en: 'differs', de: 'verschieden', es: 'distinto', ar: 'مختلف' },
}

/** Returns the strings of the desk in the language in use. A view that reads them is rerendered when it changes. */
export const deskWords = wordsIn(WORDS)
