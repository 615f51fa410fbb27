/** Strings of the desk in all languages, loaded with it. */
import { language } from '../navigation/settings.ts'

const WORDS = {
  compare: { en: 'Compare', de: 'Vergleichen', es: 'Comparar', ar: 'قارن' },
  full: { en: 'Six at most', de: 'Höchstens sechs', es: 'Seis como máximo', ar: 'ستة على الأكثر' },
  pin: { en: 'Pin', de: 'Anheften', es: 'Fijar', ar: 'تثبيت' },
  pinned: { en: 'Pinned views', de: 'Angeheftete Ansichten', es: 'Vistas fijadas', ar: 'العروض المثبّتة' },
  differs: { en: 'differs', de: 'verschieden', es: 'distinto', ar: 'مختلف' },
}

/** Returns a string of the desk in the language in use. A view that reads it is rerendered when the language changes. */
export function deskWord(name: keyof typeof WORDS): string {
  return WORDS[name][language.value]
}
